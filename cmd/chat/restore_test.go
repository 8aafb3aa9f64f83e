package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// TestRestore_FromTheCommandLine restores a table that lost its only message. It then deletes a
// restored message that was deleted after the restore point.
func TestRestore_FromTheCommandLine(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	db := dynamo.LocalClient(endpoint)
	stores := map[string]*dynamo.Store{}
	at := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	post := func(table string, user chat.UserID) chat.Message {
		m := chat.Message{Room: "seattle", Text: "hello", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16), ID: chat.MessageID{User: user, UUID: chat.NewUUID(at, [10]byte{})}}
		if _, created, err := stores[table].PutMessage(t.Context(), m); err != nil || !created {
			t.Fatal(created, err)
		}
		return m
	}
	for _, name := range []string{"live", "restored"} {
		tabletest.Create(t, db, name)
		stores[name] = dynamo.New(db, dynamo.Options{Table: name, Clock: time.Now})
		room := chat.Room{ID: "seattle", Name: "n", CreatedBy: "ann", CreatedAt: at, Shards: 2, DigestKey: make([]byte, 32), Posting: policy.Everyone}
		if ok, err := stores[name].CreateRoom(t.Context(), room, chat.OwnerOf(room, "ann")); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	tabletest.CreateLog(t, db, "log")
	lost := post("restored", "ann")
	gone := post("restored", "bob")
	post("live", "bob")
	if _, ok, err := stores["live"].ReviseMessage(t.Context(), gone, gone.Tombstone("bob", time.Now())); err != nil || !ok {
		t.Fatal(ok, err)
	}
	point := at.Add(time.Minute).Format(time.RFC3339)
	progress := filepath.Join(t.TempDir(), "progress.json")
	run := func(ok bool, want string, args ...string) {
		t.Helper()
		cmd := command(t, append([]string{"restore"}, args...)...)
		cmd.Env = append(cmd.Env, "AWS_ENDPOINT_URL="+endpoint, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x")
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) || ok != (err == nil) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
	}
	copied := []string{"copy", "--from", "restored", "--table", "live", "--all", "--restored-to", point, "--progress", progress}
	run(true, "1 changes would be written with --apply", copied...)
	run(true, "1 changes would be written with --apply", copied...)
	run(false, "the budget of read units is used up", append(copied, "--apply", "--budget", "0.1")...)
	run(false, "has the progress of another restore", append(copied, "--resume")...)
	run(true, "now repair the feeds: ", append(copied, "--apply", "--resume")...)
	run(true, "0 changes were written", append(copied, "--apply")...)
	if m, err := stores["live"].Message(t.Context(), "seattle", lost.ID); err != nil || m.Text != "hello" {
		t.Errorf("the lost message: %+v, %v", m, err)
	}

	deletions := []string{"deletions", "--from", "live", "--table", "restored", "--room", "seattle", "--restored-to", point, "--progress", progress}
	run(true, "1 changes would be written with --apply", deletions...)
	run(true, "1 changes were written", append(deletions, "--apply")...)
	run(true, "0 changes were written", append(deletions, "--apply")...)
	if m, err := stores["restored"].Message(t.Context(), "seattle", gone.ID); err != nil || !m.Deleted() || m.Text != "" {
		t.Errorf("the deleted message: %+v, %v", m, err)
	}

	run(false, "--table is required", "copy", "--from", "restored", "--all")
	run(false, "DynamoDB reports no restore of restored or live: give", "copy", "--from", "restored", "--table", "live", "--all")
	run(false, "there is no table typo", "copy", "--from", "typo", "--table", "live", "--all")
	run(false, "only one of log and live is an activity log", "copy", "--from", "log", "--table", "live", "--all", "--restored-to", point, "--progress", progress)
	run(false, "a table cannot be restored from itself", "copy", "--from", "live", "--table", "live", "--all", "--restored-to", point, "--progress", progress)
	run(false, "--write-units must be greater than 0", "copy", "--from", "restored", "--table", "live", "--all", "--write-units", "0")
}
