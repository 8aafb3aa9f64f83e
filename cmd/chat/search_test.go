package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/scan"
)

// indexed are the rooms of indexedDir, each with the number of its messages.
var indexed = map[chat.RoomID]int{"austin": 1, "reno": 2, "seattle": 3}

// indexedDir returns a data folder with rooms, which no server uses.
func indexedDir(t testing.TB) string {
	t.Helper()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	for room, messages := range indexed {
		mustCall(t, 201, "PUT", s.url+"/rooms/"+string(room), token, "{}")
		for range messages {
			mustCall(t, 201, "POST", s.url+"/rooms/"+string(room)+"/messages", token, `{"text":"green eggs and ham"}`)
		}
	}
	if err := s.end(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	return dir
}

// searches runs a command on the index of searches, and checks what it prints and whether it
// succeeds.
func searches(t testing.TB, dir, want string, ok bool, args ...string) {
	t.Helper()
	args = append(append([]string{"search"}, args...), "--data", dir, "--progress", filepath.Join(dir, "progress.json"))
	out, err := command(t, args...).CombinedOutput()
	if !strings.Contains(string(out), want) || ok != (err == nil) {
		t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
	}
}

// TestSearchRebuild_HasABudgetAndResumes stops a run at each of its rooms.
func TestSearchRebuild_HasABudgetAndResumes(t *testing.T) {
	t.Parallel()
	dir := indexedDir(t)
	searches(t, dir, "0 of 0 rooms compared, with 0 messages in their indexes; 0 differences", true, "verify")
	searches(t, dir, "there is nothing to resume", false, "rebuild", "--resume")
	searches(t, dir, "the budget of read units is used up", false, "rebuild", "--budget", "0.1")
	searches(t, dir, "has the progress of an unfinished run: continue it with", false, "rebuild")
	searches(t, dir, "omit --room", false, "rebuild", "--resume", "--room", "reno")
	searches(t, dir, "3 of 3 rooms rebuilt, with 6 messages", true, "rebuild", "--resume")
	searches(t, dir, "3 of 3 rooms compared, with 6 messages in their indexes; 0 differences", true, "verify")
	searches(t, dir, "1 of 1 rooms rebuilt, with 2 messages", true, "rebuild", "--room", "reno")
	searches(t, dir, "2 of 2 rooms compared, with 5 messages in their indexes", true, "verify", "--room", "reno", "--room", "seattle")
	searches(t, dir, "--room unknown: ", false, "rebuild", "--room", "unknown")
	searches(t, dir, "--bucket and --table belong together", false, "verify", "--table", "x")
	searches(t, dir, "--room: ", false, "verify", "--room", "NO")
}

// TestSearchVerify_FindsDifferences writes, edits and deletes messages while no feed function sees
// it. Newer changes could still come to the feed, so they are an hour old.
func TestSearchVerify_FindsDifferences(t *testing.T) {
	t.Parallel()
	dir := indexedDir(t)
	past := time.Now().UTC().Add(-time.Hour).Truncate(time.Millisecond)
	var old []chat.Message
	for n := range 3 {
		at := past.Add(time.Duration(n) * time.Second)
		id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(at, [10]byte{})}
		old = append(old, chat.Message{Room: "seattle", Text: "old eggs", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16), ID: id})
	}
	write := func(messages ...chat.Message) {
		withFolder(t, dir, func(db *dynamodb.Client) {
			for _, m := range messages {
				if _, created, err := (openTable{db: db, table: localTable}).store().PutMessage(t.Context(), m); err != nil || !created {
					t.Fatal(created, err)
				}
			}
		})
	}
	write(old[:2]...)
	searches(t, dir, "3 of 3 rooms rebuilt, with 8 messages", true, "rebuild")
	searches(t, dir, "0 differences", true, "verify")
	withFolder(t, dir, func(db *dynamodb.Client) {
		for n, after := range []chat.Message{old[0].Edited("purple eggs", past), old[1].Tombstone("amsg", past)} {
			if _, ok, err := (openTable{db: db, table: localTable}).store().ReviseMessage(t.Context(), old[n], after); err != nil || !ok {
				t.Fatal(ok, err)
			}
		}
	})
	write(old[2])
	for n, want := range []string{" has an old text\n", " is deleted, and its text is left\n", " is missing or has an old text\n"} {
		searches(t, dir, "seattle: message "+old[n].ID.String()+want, false, "verify")
	}
	searches(t, dir, "3 of 3 rooms compared, with 8 messages in their indexes; 3 differences", false, "verify")
	searches(t, dir, "3 of 3 rooms rebuilt, with 8 messages", true, "rebuild")
	searches(t, dir, "0 differences", true, "verify")
	if err := os.WriteFile(filepath.Join(dir, filesFolder, "_search", "seattle%2Findex"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	searches(t, dir, "seattle: the index cannot be read\n", false, "verify")
	searches(t, dir, "1 of 1 rooms rebuilt", true, "rebuild", "--room", "seattle")
	searches(t, dir, "0 differences", true, "verify")
}

// TestSearchVerify_ReportsWhileItReads lets the time of a note have come before a room is done.
func TestSearchVerify_ReportsWhileItReads(t *testing.T) {
	t.Parallel()
	dir := indexedDir(t)
	searches(t, dir, "3 of 3 rooms rebuilt", true, "rebuild")
	files := data{dir}.openFiles().client
	withFolder(t, dir, func(db *dynamodb.Client) {
		var p searchProgress
		p.Name([]chat.RoomID{"seattle"})
		notes := &lockedBuffer{}
		r := newSearchRun(openTable{db: db, table: localTable}, files, &p, streams{Out: io.Discard, Err: notes, Log: slog.New(slog.DiscardHandler)})
		r.limiter, r.printed = scan.NewRateLimiter(math.Inf(1), time.Now), time.Time{}
		if err := r.verify(t.Context(), "seattle"); err != nil {
			t.Fatal(err)
		}
		if got := notes.String(); !strings.HasPrefix(got, "so far: 0 of 1 rooms; ") || strings.Count(got, "\n") != 1 || r.items < indexed["seattle"] {
			t.Errorf("it prints %q, and has read %d items", got, r.items)
		}
	})
}

// TestSearchRebuild_ResumesAfterEachStep interrupts a run at each save of its progress.
func TestSearchRebuild_ResumesAfterEachStep(t *testing.T) {
	t.Parallel()
	dir := indexedDir(t)
	files := data{dir}.openFiles().client
	withFolder(t, dir, func(db *dynamodb.Client) {
		o := openTable{db: db, table: localTable}
		s := streams{Out: io.Discard, Err: io.Discard, Log: slog.New(slog.DiscardHandler)}
		rebuild := func(ctx context.Context, p *searchProgress, save func() error) error {
			r := newSearchRun(o, files, p, s)
			r.limiter, r.save = scan.NewRateLimiter(1e6, time.Now), save
			return r.each(ctx, scan.Source{DB: db, Table: localTable}, (*searchRun).rebuild)
		}
		for at, done := 1, false; !done; at++ {
			var p, resumed searchProgress
			var saved []byte
			ctx, interrupt := context.WithCancel(t.Context())
			steps := 0
			err := rebuild(ctx, &p, func() (err error) {
				if steps++; steps == at {
					interrupt()
				}
				saved, err = json.Marshal(p)
				return err
			})
			interrupt()
			if done = err == nil; done {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("step %d: %v", at, err)
			}
			if err := json.Unmarshal(saved, &resumed); err != nil {
				t.Fatal(err)
			}
			if err := rebuild(t.Context(), &resumed, func() error { return nil }); err != nil || resumed.Done() != 3 || resumed.Messages != 6 {
				t.Errorf("resumed after step %d: %+v, %v", at, resumed, err)
			}
		}
	})
	searches(t, dir, "0 differences", true, "verify")
}
