// Command find prints the messages of an index that match a query of SQLite's FTS5:
//
//	go run -C examples/index ./find 'rain NOT coffee'
package main

import (
	"cmp"
	"database/sql"
	"fmt"
	"log"
	"os"

	_ "modernc.org/sqlite"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: find QUERY [INDEX]")
	}
	file := append(os.Args, "index.db")[2]
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro&_pragma=busy_timeout(5000)")
	if err == nil {
		err = find(db, os.Args[1])
	}
	if err != nil {
		log.Fatal(err)
	}
}

func find(db *sql.DB, query string) error {
	rows, err := db.Query(`SELECT id, room, user, text FROM texts JOIN messages ON n = texts.rowid
		WHERE texts MATCH ? ORDER BY id`, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, room, user, text string
		if err := rows.Scan(&id, &room, &user, &text); err != nil {
			return err
		}
		fmt.Println(id, room, user, text)
	}
	return cmp.Or(rows.Err(), rows.Close())
}
