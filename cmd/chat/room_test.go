package main

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// purgeable returns a table with a room of some messages, deleted a while ago, and a room that is
// not deleted.
func purgeable(t *testing.T, db *dynamo.Store, messages int) {
	t.Helper()
	at := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	for _, id := range []chat.RoomID{"seattle", "seattle-1"} {
		room := chat.Room{ID: id, Name: "n", CreatedBy: "ann", CreatedAt: at, Shards: 2, DigestKey: make([]byte, 32)}
		if ok, err := db.CreateRoom(t.Context(), room, chat.OwnerOf(room, "ann")); err != nil || !ok {
			t.Fatal(ok, err)
		}
		for i := range messages {
			m := chat.Message{
				Room: id, Text: "hello", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16),
				ID: chat.MessageID{User: "ann", UUID: chat.NewUUID(at, [10]byte{8: byte(i >> 8), 9: byte(i)})},
			}
			if _, created, err := db.PutMessage(t.Context(), m); err != nil || !created {
				t.Fatal(created, err)
			}
		}
		if id != "seattle" {
			continue
		}
		if ok, err := db.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: chat.OwnerOf(room, "ann"), At: at}); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
}

// TestRoomPurge_FromTheCommandLine purges a room of a deployed table: it counts, stops at a budget, is
// killed, and then finishes.
func TestRoomPurge_FromTheCommandLine(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	db := dynamo.LocalClient(endpoint)
	tabletest.Create(t, db, "chat")
	purgeable(t, dynamo.New(db, dynamo.Options{Table: "chat", Clock: time.Now}), 300)
	progress := t.TempDir() + "/search.json"
	environment := []string{"AWS_ENDPOINT_URL=" + endpoint, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x"}
	run := func(ok bool, want string, args ...string) {
		t.Helper()
		cmd := command(t, append([]string{"room", "purge", "--table", "chat"}, args...)...)
		cmd.Env = append(cmd.Env, environment...)
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) || ok != (err == nil) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
	}
	const whole = "304 items of seattle" // with the owner's two rows and the room's two
	run(true, whole+" would be removed with --apply: 1 member, 300 message, 1 permissions, 1 shards, 1 standing;", "seattle")
	run(false, "the room seattle-1 is not deleted", "seattle-1", "--apply")
	run(false, "there is no deleted room seattle-2", "seattle-2", "--apply")
	run(false, "room: ", "no room", "--apply")
	run(false, "--write-units must be greater than 0", "seattle", "--write-units", "0")
	run(false, "--resume and --progress are for --search", "seattle", "--resume")
	run(false, "not finished; run the command again to continue\nchat: the budget of read units is used up", "seattle", "--apply", "--budget", "10")

	items := func() int32 {
		out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("chat"), Select: types.SelectCount})
		if err != nil {
			t.Fatal(err)
		}
		return out.Count
	}
	all := items()
	cmd := command(t, "room", "purge", "--table", "chat", "seattle", "--apply", "--write-units", "10")
	cmd.Env = append(cmd.Env, environment...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range int(readyTime / pollInterval) {
		if items() < all {
			break // it needs half a minute for all
		}
		time.Sleep(pollInterval)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	run(true, " of seattle were removed", "seattle", "--apply", "--write-units", "10000")
	run(true, "nothing of seattle is left but its tombstone and its closed feed", "seattle", "--apply")
	run(false, "the budget of read units is used up", "seattle", "--search", "--budget", "10", "--progress", progress)
	run(true, "searching for rows of people: the scan reads", "seattle", "--search", "--progress", progress)
}

// TestRoomPurge_InTheDataFolder purges a room while a server runs.
func TestRoomPurge_InTheDataFolder(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	e, err := folder.Join(t.Context(), folder.Config{Dir: dir}) // the server runs it
	if err != nil {
		t.Fatal(err)
	}
	purgeable(t, dynamo.New(dynamo.LocalClient(e.Endpoint()), dynamo.Options{Table: localTable, Clock: time.Now}), 3)
	out, err := command(t, "room", "purge", "--data", dir, "seattle", "--apply", "--search", "--progress", dir+"/search.json").CombinedOutput()
	// The server's feed also has items if it read the stream before the deletion.
	const rows = "1 member, 3 message, 1 permissions, 1 shards, 1 standing;"
	if err != nil || !strings.Contains(string(out), "items of seattle were removed") || !strings.Contains(string(out), rows) {
		t.Errorf("%v, %s", err, out)
	}
	token := tokenOf(t, dir, "ann")
	mustCall(t, 409, "PUT", s.url+"/rooms/seattle", token, `{"name":"Seattle"}`)
	mustCall(t, 404, "GET", s.url+"/rooms/seattle/messages", token, "")
	if got := mustCall(t, 200, "GET", s.url+"/rooms/seattle-1/messages", token, ""); strings.Count(got, "hello") != 3 {
		t.Errorf("the other room has %s", got)
	}
}
