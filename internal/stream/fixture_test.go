package stream_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/feedtest"
	"example.com/parley/internal/test/tabletest"
)

// fixture is a table with its stream, a store and a store for failures.
type fixture struct {
	t        *testing.T
	endpoint string
	table    string
	stream   *feedtest.Stream
	store    *dynamo.Store
	failures *memoryFailures
	// consumers and projections are every handler's.
	consumers   []stream.Consumer
	projections []stream.Projection
}

// memoryFailures implements stream.Failures in memory.
type memoryFailures struct {
	mu   sync.Mutex
	all  []stream.Failure
	fail error
}

func (m *memoryFailures) Keep(_ context.Context, f stream.Failure) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		m.all = append(m.all, f)
	}
	return m.fail
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{t: t, endpoint: enginetest.Start(t), table: "feeds", failures: &memoryFailures{}}
	client := dynamo.LocalClient(w.endpoint)
	tabletest.Create(t, client, w.table)
	w.stream = feedtest.Open(t, w.endpoint, w.table)
	w.store = dynamo.New(client, dynamo.Options{Table: w.table, Clock: time.Now})
	return w
}

// handler returns a handler with its own state, like a new process. Options inject faults.
func (w *fixture) handler(options ...func(*dynamodb.Options)) *stream.Handler {
	store := dynamo.New(dynamo.LocalClient(w.endpoint, recorded(options)...), dynamo.Options{Table: w.table, Clock: time.Now})
	return stream.NewHandler(stream.Options{
		Store: store, Failures: w.failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
		Projections: w.projections, Consumers: w.consumers,
	})
}

func (w *fixture) room(id chat.RoomID, shards int) chat.Room {
	w.t.Helper()
	room := chat.Room{ID: id, Name: string(id), CreatedBy: "maker", CreatedAt: time.Now().UTC(), Shards: shards, DigestKey: make([]byte, 32), Posting: policy.Everyone}
	if ok, err := w.store.CreateRoom(w.t.Context(), room, chat.OwnerOf(room, "maker")); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	return room
}

func (w *fixture) post(room chat.RoomID, user chat.UserID, n int) chat.Message {
	w.t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	m := chat.Message{
		Room: room, Text: fmt.Sprintf("%s %d", user, n), ReceivedAt: now, Revision: 1, Digest: make([]byte, 16),
		ID: chat.MessageID{User: user, UUID: chat.NewUUID(now, [10]byte{7: byte(n >> 16), 8: byte(n >> 8), 9: byte(n)})},
	}
	if _, created, err := w.store.PutMessage(w.t.Context(), m); err != nil || !created {
		w.t.Fatal(created, err)
	}
	return m
}

func (w *fixture) revise(before, after chat.Message) chat.Message {
	w.t.Helper()
	revised, ok, err := w.store.ReviseMessage(w.t.Context(), before, after)
	if err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	return revised
}

// deliver passes records to a handler, and fails the test unless all are done.
func (w *fixture) deliver(h *stream.Handler, records []events.DynamoDBEventRecord) {
	w.t.Helper()
	resp, err := h.Handle(w.t.Context(), events.DynamoDBEvent{Records: records})
	if err != nil || len(resp.BatchItemFailures) > 0 {
		w.t.Fatalf("%+v, %v", resp, err)
	}
}

// feedOf returns a room's whole feed. It fails the test if the numbers are not consecutive.
func (w *fixture) feedOf(room chat.RoomID) []feed.Change {
	w.t.Helper()
	entries, _ := w.wholeFeedOf(room)
	return entries
}

// wholeFeedOf is feedOf, and also returns all changes of the feed with those that were merged into
// others, in the order of their entries.
func (w *fixture) wholeFeedOf(room chat.RoomID) (entries, all []feed.Change) {
	w.t.Helper()
	_, segments, err := w.store.FeedFrom(w.t.Context(), room, 1, 1_000_000)
	if err != nil {
		w.t.Fatal(err)
	}
	var created int64
	for _, s := range segments {
		if s.First != int64(len(entries))+1 {
			w.t.Fatalf("a segment of %s begins with %d after %d changes", room, s.First, len(entries))
		}
		if s.Count != created {
			w.t.Fatalf("segment %d of %s states %d messages before it, want %d", s.First, room, s.Count, created)
		}
		created = s.Total()
		entries = append(entries, s.Changes...)
		all = append(all, withMerged(s)...)
	}
	head, err := w.store.FeedHead(w.t.Context(), room)
	if err != nil || head.Last != int64(len(entries)) || head.Count != created {
		w.t.Fatalf("%s: the feed has %d changes and %d messages, but the head is %+v, %v", room, len(entries), created, head, err)
	}
	return entries, all
}

// withMerged returns the changes of a segment, each after those that were merged into it.
func withMerged(s feed.Segment) []feed.Change {
	var all []feed.Change
	for i, c := range s.Changes {
		for _, m := range s.Merged {
			before := c
			if before.Revision, before.Origin = int(m.Mark), 0; c.Message == (chat.MessageID{}) {
				before.Revision, before.Origin = 0, m.Mark
			}
			if m.Into == i {
				all = append(all, before)
			}
		}
		all = append(all, c)
	}
	return all
}

//golden:record
func TestHandle_AppendsEveryKindOfChange(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 3)
	first := w.post("seattle", "amsg", 1)
	second := w.post("seattle", "bob", 2)
	edited := w.revise(first, first.Edited("other", first.ReceivedAt.Add(time.Second)))
	w.revise(second, second.Tombstone("amsg", second.ReceivedAt.Add(time.Second)))
	w.deliver(w.handler(), w.stream.Next(t))

	var got []string
	for _, c := range w.feedOf("seattle") {
		got = append(got, fmt.Sprint(c.Type, " ", c.Message.User, c.User, " ", c.Revision))
	}
	want := []string{"room.changed  0", "member.changed maker 0", "message.created amsg 1", "message.created bob 1", "message.edited amsg 2", "message.deleted bob 2"}
	slices.Sort(got[:2]) // written in one transaction
	slices.Sort(want[:2])
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	head, err := w.store.FeedHead(t.Context(), "seattle")
	if err != nil || head.Count != 2 || head.Last != 6 || head.Generation == "" {
		t.Errorf("%+v, %v", head, err)
	}
	messages, err := w.store.MessagesByID(t.Context(), "seattle", []chat.MessageID{first.ID, second.ID})
	if err != nil || messages[first.ID].Text != edited.Text || !messages[second.ID].Deleted() {
		t.Errorf("%+v, %v", messages, err)
	}
}
