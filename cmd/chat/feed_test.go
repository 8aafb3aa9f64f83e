package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	feedpkg "example.com/parley/internal/feed"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
)

// newStore returns a client of the store of a running server.
func (s *server) newStore(t testing.TB) *dynamo.Store {
	t.Helper()
	return localStore(s.engine(t))
}

// engine returns the address of the engine of a running server, which only its folder contains.
func (s *server) engine(t testing.TB) string {
	t.Helper()
	e, err := folder.Join(t.Context(), folder.Config{Dir: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	return e.Endpoint()
}

func localStore(endpoint string) *dynamo.Store {
	return dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: localTable, Clock: time.Now})
}

// feedOf returns the complete feed of a room. It fails the test if the sequence or the counts are
// wrong.
func feedOf(t testing.TB, store *dynamo.Store, room chat.RoomID) []feedpkg.Change {
	t.Helper()
	_, segments, err := store.FeedFrom(t.Context(), room, 1, chat.MaxSeq)
	if err != nil {
		t.Fatal(err)
	}
	var all []feedpkg.Change
	var created int64
	for _, s := range segments {
		if s.First != int64(len(all))+1 || s.Count != created {
			t.Fatalf("segment %d states %d messages before it, but follows %d changes with %d messages", s.First, s.Count, len(all), created)
		}
		created = s.Total()
		all = append(all, s.Changes...)
	}
	return all
}

// describe returns the message changes in a feed as text.
func describe(feed []feedpkg.Change) []string {
	var words []string
	for _, c := range feed {
		if c.Type.OfMessage() || c.Type == feedpkg.UnknownChange {
			words = append(words, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", c.Type, c.Message.User, c.Revision, c.Key)))
		}
	}
	return words
}

// awaitFeed waits until a room's feed contains the wanted changes.
func awaitFeed(t testing.TB, store *dynamo.Store, room chat.RoomID, want ...string) {
	t.Helper()
	var got []string
	for range int(readyTime / pollInterval) {
		if got = describe(feedOf(t, store, room)); slices.Equal(got, want) {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Fatalf("the feed of %s is\n%q, want\n%q", room, got, want)
}

func TestServe_FeedContinuesAfterARestart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	posted := mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", token, `{"text":"hello"}`)
	id := strings.SplitN(posted, `"`, 5)[3]
	awaitFeed(t, s.newStore(t), "seattle", "message.created amsg 1")
	for round := range 3 {
		status, text, err := callIf(t.Context(), "PATCH", s.url+"/rooms/seattle/messages/"+id, request{
			token: token, body: fmt.Sprintf(`{"text":"hello %d"}`, round), ifMatch: fmt.Sprintf(`"%d"`, round+1),
		})
		if err != nil || status != 200 {
			t.Fatal(status, text, err)
		}
		if err := s.end(t, syscall.SIGTERM); err != nil {
			t.Fatal(err, s.logs)
		}
		// Acknowledged changes are in the feed before the server exits.
		e, err := folder.Own(t.Context(), folder.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"message.created amsg 1", "message.edited amsg 2", "message.edited amsg 3", "message.edited amsg 4"}
		if got := describe(feedOf(t, localStore(e.Endpoint()), "seattle")); !slices.Equal(got, want[:round+2]) {
			t.Errorf("feed after shutdown %d: %q", round, got)
		}
		if err := e.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		s = serve(t, dir, "--send-rate", "1000")
	}
	s.line(t, "token ") // token is the last line
	if out := s.out.String(); strings.Contains(out, "feed") || strings.Count(out, "\n") != 7 {
		t.Errorf("standard output:\n%s", out)
	}
}

// An unreadable record is stored with the failures and does not block the feed.
func TestServe_UnreadableRecordIsAFailure(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	endpoint := s.engine(t)
	item := table.Key("seattle-1", "nobody#never")
	item[table.AttrType] = &types.AttributeValueMemberS{Value: table.StreamKinds(table.FeedStream)[0]}
	item["text"] = &types.AttributeValueMemberS{Value: "a secret"}
	if _, err := dynamo.LocalClient(endpoint).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(localTable), Item: item}); err != nil {
		t.Fatal(err)
	}
	mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", token, `{"text":"hello"}`)
	awaitFeed(t, localStore(endpoint), "seattle", "unknown  0 nobody#never", "message.created amsg 1")
	failures, err := os.ReadFile(filepath.Join(dir, failuresFile))
	if err != nil || !strings.Contains(string(failures), `{"room":"seattle","key":"nobody#never",`) || strings.Contains(string(failures), "secret") {
		t.Errorf("%s, %v", failures, err)
	}
}

func TestServe_RefusesAnEngineWithoutStreams(t *testing.T) {
	t.Parallel()
	target, err := url.Parse(enginetest.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	streamless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("X-Amz-Target"), "DynamoDBStreams") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"com.amazon.coral.service#UnknownOperationException","message":""}`)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(streamless.Close)
	cmd := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dataDir(t))
	cmd.Env = append(cmd.Env, "DYNAMODB_ENDPOINT="+streamless.URL)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "does not serve its streams") || strings.Contains(string(out), "ready") {
		t.Errorf("%v\n%s", err, out)
	}
}

// postTo stores a message without a server.
func postTo(t testing.TB, store *dynamo.Store, room chat.RoomID, n int) chat.Message {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	m := chat.Message{
		Room: room, Text: "text", ReceivedAt: now, Revision: 1, Digest: make([]byte, 16),
		ID: chat.MessageID{User: "amsg", UUID: chat.NewUUID(now, [10]byte{9: byte(n)})},
	}
	if _, created, err := store.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatal(created, err)
	}
	return m
}
