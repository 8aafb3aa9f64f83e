package feed_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// fixture is a service and its store. Tests write the feeds segment by segment.
type fixture struct {
	*app.Services
	t     *testing.T
	clock *chattest.Clock
	store *dynamo.Store
	heads map[chat.RoomID]feed.Segment

	endpoint string
	earlier  chat.Message // a store from before a test
}

func newFixture(t *testing.T) *fixture {
	w := &fixture{t: t, heads: map[chat.RoomID]feed.Segment{}}
	w.endpoint = enginetest.Start(t)
	w.Services, w.clock = chattest.NewOn(t, w.endpoint, func(*app.Options) {})
	w.store = dynamo.New(dynamo.LocalClient(w.endpoint), dynamo.Options{Table: "chat", Clock: w.clock.Now})
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

// numbers returns the sequence numbers, types and texts of changes.
func numbers(c feed.Changes) string {
	var all []string
	for _, e := range c.Entries {
		text := "-"
		if e.Message != nil {
			text = e.Message.Text
		}
		all = append(all, fmt.Sprintf("%d:%v:%s", e.Seq, e.Change.Type, text))
	}
	return strings.Join(all, " ")
}

// newExpiringFixture returns a fixture, and a function that removes a segment, as DynamoDB does after
// it has expired.
func newExpiringFixture(t *testing.T) (w *fixture, remove func(feed.Segment)) {
	t.Helper()
	w = newFixture(t)
	client := dynamo.LocalClient(w.endpoint)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	return w, func(s feed.Segment) {
		t.Helper()
		in := &dynamodb.DeleteItemInput{TableName: aws.String(chattest.Table), Key: table.SegmentKey("seattle", s.First)}
		if _, err := client.DeleteItem(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
}

// two appends a segment of two new messages.
func (w *fixture) two() feed.Segment {
	return w.appendTo("seattle", []feed.Change{feed.ChangeOf(w.sent("amsg", "a")), feed.ChangeOf(w.sent("amsg", "b"))}, nil)
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
