package main

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/parley/internal/demo"
)

// serveDemo starts a demo on a folder.
func serveDemo(t *testing.T, dir string) *server {
	t.Helper()
	return start(t, dir, func(cmd *exec.Cmd) { cmd.Args[1] = "demo" })
}

// get decodes the answer of a server to a person.
func get[T any](t *testing.T, s *server, user, path string) (items []T) {
	t.Helper()
	var page struct{ Items []T }
	if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", s.url+path, tokenOf(t, s.dir, user), "")), &page); err != nil {
		t.Fatal(err)
	}
	return page.Items
}

// demoRoom is a room in a person's list.
type demoRoom struct {
	ID, Name         string
	Unread, Mentions int
	Direct           []string
}

// demoMessage is a message with what others did with it.
type demoMessage struct {
	ID, User  string
	EditedAt  time.Time
	Mentions  []string
	Reactions []struct {
		Emoji string
		Count int
	}
	Replies     struct{ Count int }
	Poll        *struct{ Voters int }
	Attachments []struct {
		Name, Type, Alt string
		Width           int
	}
}

// TestDemo_ServesTheWeek also checks that a second start keeps the week and what the visitor wrote,
// until the week is old.
func TestDemo_ServesTheWeek(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serveDemo(t, dir)
	if page := s.line(t, "page  "); page != s.url+"/#as="+demo.Visitor {
		t.Errorf("the page is %s", page)
	}
	s.line(t, demo.Companion+"  "+s.url+"/#as="+demo.Companion+" (a second person")
	checkDemo(t, s)
	posted := mustCall(t, 201, "POST", s.url+"/rooms/general/messages", tokenOf(t, dir, demo.Visitor), `{"text":"I was here"}`)
	id := strings.SplitN(posted, `"`, 5)[3]
	again := func(want int) {
		if err := s.end(t, syscall.SIGTERM); err != nil {
			t.Fatal(err, s.logs)
		}
		if want == 404 { // a day later
			if err := os.WriteFile(filepath.Join(dir, demoFile), []byte(time.Now().Add(-demoLife).Format(time.RFC3339)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s = serveDemo(t, dir)
		mustCall(t, want, "GET", s.url+"/rooms/general/messages/"+url.PathEscape(id), tokenOf(t, dir, demo.Visitor), "")
	}
	again(200)
	again(404)
	checkDemo(t, s)
}

// checkDemo checks what a visitor sees.
func checkDemo(t *testing.T, s *server) {
	t.Helper()
	rooms, unread, mentions, direct := get[demoRoom](t, s, demo.Visitor, "/people/me/rooms?limit=50"), 0, 0, 0
	for _, r := range rooms {
		if r.Unread > 0 {
			unread++
			if len(r.Direct) > 0 {
				direct++
			}
		}
		mentions += r.Mentions
	}
	if len(rooms) < 10 || unread < 4 || unread == len(rooms) || mentions < 2 || direct < 1 {
		t.Errorf("of %d rooms %d are unread, %d of them direct, with %d mentions", len(rooms), unread, direct, mentions)
	}
	if rooms[0].ID != "general" {
		t.Errorf("the page opens %s", rooms[0].ID)
	}
	followed := 0
	for _, thread := range get[struct{ Unread int }](t, s, demo.Visitor, "/people/me/threads?limit=50") {
		if thread.Unread > 0 {
			followed++
		}
	}
	if followed == 0 {
		t.Error("no followed thread has an unread reply")
	}
	edited, reactions, replies, voters, pictures, files := 0, 0, 0, 0, 0, 0
	for _, r := range rooms {
		for _, m := range get[demoMessage](t, s, demo.Visitor, "/rooms/"+r.ID+"/messages?limit=100") {
			if !m.EditedAt.IsZero() {
				edited++
			}
			for _, reaction := range m.Reactions {
				reactions += reaction.Count
			}
			replies += m.Replies.Count
			for _, a := range m.Attachments {
				if files++; a.Type == "image/png" && a.Width > 0 && a.Alt != "" {
					pictures++
				}
			}
			if m.Poll != nil {
				voters += m.Poll.Voters
			}
		}
	}
	if edited < 5 || reactions < 500 || replies < 90 || voters < 8 {
		t.Errorf("%d messages are edited; %d reactions, %d replies, %d voters", edited, reactions, replies, voters)
	}
	if pictures < 4 || files < pictures+2 {
		t.Errorf("%d of %d files are pictures with descriptions", pictures, files)
	}
	if documents := get[struct{ Document string }](t, s, demo.Visitor, "/rooms/releases/documents"); len(documents) < 2 {
		t.Errorf("documents %v", documents)
	}
	if pins := get[struct{ ID string }](t, s, demo.Visitor, "/rooms/general/pins"); len(pins) == 0 {
		t.Error("nothing is pinned")
	}
}

// TestDemo_StartsAgainAfterAKill kills a demo while it writes its week.
func TestDemo_StartsAgainAfterAKill(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	cmd := command(t, "demo", "--addr", "127.0.0.1:0", "--data", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range int(readyTime / pollInterval) {
		if text, err := os.ReadFile(filepath.Join(dir, positionFile)); err == nil && len(text) > 0 {
			break // the feed has the first changes
		}
		time.Sleep(pollInterval)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if text, err := os.ReadFile(filepath.Join(dir, demoFile)); err != nil || len(text) > 0 {
		t.Fatalf("the mark of the killed demo is %q, %v", text, err)
	}
	checkDemo(t, serveDemo(t, dir))
}

func TestDemo_RefusesOtherData(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	tokenOf(t, dir, "amsg") // which creates the folder
	out, err := command(t, "demo", "--addr", "127.0.0.1:0", "--data", dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "has other data, which a demo would delete") {
		t.Errorf("%v\n%s", err, out)
	}
}
