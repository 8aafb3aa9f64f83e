// Command index keeps the messages of public rooms in SQLite, complete from its first start on:
//
//	TOKEN=$(bin/chat token --service --user index) go run -C examples/index . -url http://127.0.0.1:8080
//
// A failure ends it, and it may be started again at any time: one transaction stores the changes of
// an answer and its id, and the next request names that id.
package main

import (
	"context"
	"database/sql"
	"flag"
	"log"
	"net/url"
	"os"
	"time"

	_ "modernc.org/sqlite"

	"example.com/parley/client"
)

// pragmas let others read the index while it changes.
const pragmas = "?_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)"

const tables = `
CREATE TABLE IF NOT EXISTS received (id); INSERT INTO received SELECT 'none' WHERE NOT EXISTS (SELECT * FROM received);
CREATE TABLE IF NOT EXISTS messages (n INTEGER PRIMARY KEY, id UNIQUE, room, user);
CREATE INDEX IF NOT EXISTS rooms ON messages (room);
CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (text);
CREATE TRIGGER IF NOT EXISTS gone AFTER DELETE ON messages BEGIN DELETE FROM texts WHERE rowid = old.n; END`

func main() {
	api, file := flag.String("url", "", "the address of the API"), flag.String("db", "index.db", "the index")
	pause := flag.Duration("pause", 2*time.Second, "the time between requests while nothing happens")
	flag.Parse()
	chat, db := must(client.New(*api, client.Fixed(os.Getenv("TOKEN")), nil)), must(sql.Open("sqlite", *file+pragmas))
	must(db.Exec(tables))
	put := client.Call{Method: "PUT", Path: "/hooks/index", Body: struct{}{}, Want: []int{200, 201}}
	must(chat.Do(context.Background(), put))
	for ; ; time.Sleep(*pause) {
		for fetch(chat, db) {
		}
	}
}

// fetch stores the next answer, and reports whether other changes wait.
func fetch(chat *client.Client, db *sql.DB) (more bool) {
	var received string
	check(db.QueryRow("SELECT id FROM received").Scan(&received))
	var answer struct {
		ID    string
		More  bool
		Items []struct {
			ID             string
			Reset, Deleted bool
			Changes        []client.Change
		}
	}
	check(chat.Get(context.Background(), "/hooks/index/changes?received="+received, &answer))
	tx := must(db.Begin())
	for _, room := range answer.Items {
		if room.Reset || room.Deleted {
			must(tx.Exec("DELETE FROM messages WHERE room = ?", room.ID))
		}
		if room.Reset {
			list(chat, tx, room.ID, "/rooms/"+room.ID+"/messages")
		}
		for _, c := range room.Changes {
			if c.Revision > 0 { // it is about a message
				store(tx, room.ID, c.ID, c.Message)
			}
		}
	}
	if answer.ID != "" {
		must(tx.Exec("UPDATE received SET id = ?", answer.ID))
	}
	check(tx.Commit())
	return answer.More
}

// list stores the messages of a list, with their replies.
func list(chat *client.Client, tx *sql.Tx, room, path string) {
	for cursor, last := "", false; !last; {
		var page struct {
			Next  string
			Items []struct {
				client.Message
				Replies struct{ Count int }
			}
		}
		check(chat.Get(context.Background(), path+"?limit=200"+cursor, &page))
		for _, m := range page.Items {
			store(tx, room, m.ID, &m.Message)
			if m.Replies.Count > 0 {
				list(chat, tx, room, path+"/"+url.PathEscape(m.ID)+"/replies")
			}
		}
		cursor, last = "&cursor="+page.Next, page.Next == ""
	}
}

// store replaces a message by its current state, which is nil if it no longer exists.
func store(tx *sql.Tx, room, id string, m *client.Message) {
	must(tx.Exec("DELETE FROM messages WHERE id = ?", id))
	if m != nil && m.DeletedAt.IsZero() {
		must(tx.Exec("INSERT INTO messages (id, room, user) VALUES (?, ?, ?)", id, room, m.User))
		must(tx.Exec("INSERT INTO texts (rowid, text) VALUES (last_insert_rowid(), ?)", m.Text))
	}
}

func must[T any](result T, err error) T {
	check(err)
	return result
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
