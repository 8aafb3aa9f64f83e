package inbox_test

import (
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// fixture is a service and its store. Tests write the feeds segment by segment.
type fixture struct {
	*app.Services
	t      *testing.T
	clock  *chattest.Clock
	client *dynamodb.Client
	store  *dynamo.Store
	heads  map[chat.RoomID]feed.Segment
}

func newFixture(t *testing.T) *fixture {
	w := &fixture{t: t, heads: map[chat.RoomID]feed.Segment{}}
	endpoint := enginetest.Start(t)
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(*app.Options) {})
	w.client = dynamo.LocalClient(endpoint)
	w.store = dynamo.New(w.client, dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	return w
}

// appendTo appends a segment to a room's feed, as the feed function would. change may modify it.
func (w *fixture) appendTo(room chat.RoomID, changes []feed.Change, change func(*feed.Segment)) feed.Segment {
	w.t.Helper()
	before := w.heads[room]
	s := feed.Segment{Room: room, First: 1, Generation: "g1", Changes: changes, WrittenAt: w.clock.Now().UTC()}
	if before.First > 0 {
		s.First, s.Count, s.Settled = before.Last()+1, before.Total(), before.Settled
	}
	s.Newest = before.Newest
	for _, c := range changes {
		if m, err := w.store.Message(w.t.Context(), room, c.Message); err == nil && c.Type.OfMessage() {
			s.Newest = s.Newest.With(m, 1+shard.ForUser(string(m.ID.User), w.shards(room)))
		}
	}
	if change != nil {
		change(&s)
	}
	if ok, err := w.store.AppendSegment(w.t.Context(), s); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	if err := w.store.PutFeedHead(w.t.Context(), s.Head()); err != nil {
		w.t.Fatal(err)
	}
	w.heads[room] = s
	return s
}

func (w *fixture) sent(user chat.UserID, text string) chat.Message {
	w.t.Helper()
	return chattest.Post(w.t, w.Services, user, text)
}

// newExpiringFixture returns a fixture, and a function that removes a segment, as DynamoDB does after
// it has expired.
func newExpiringFixture(t *testing.T) (w *fixture, remove func(feed.Segment)) {
	t.Helper()
	w = newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	return w, func(s feed.Segment) {
		t.Helper()
		in := &dynamodb.DeleteItemInput{TableName: aws.String(chattest.Table), Key: table.SegmentKey("seattle", s.First)}
		if _, err := w.client.DeleteItem(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
}

// two appends a segment of two new messages.
func (w *fixture) two() feed.Segment {
	return w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "a")), feed.ChangeOf(w.sent("amsg", "b"))}, nil)
}

// shards returns the number of a room's shards.
func (w *fixture) shards(room chat.RoomID) int {
	w.t.Helper()
	r, err := w.store.Room(w.t.Context(), room)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Shards
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
