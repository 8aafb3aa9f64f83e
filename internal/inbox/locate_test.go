package inbox_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
)

// newLongFeed returns a metered fixture with a feed of n segments with one change each. Bob posted
// the messages at these numbers; all other changes are of the room.
func newLongFeed(t *testing.T, n int64, at ...int64) (*fixture, *app.Services, *meter, map[int64]chat.Message) {
	t.Helper()
	w, metered, m := newMeteredFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	posted := map[int64]chat.Message{}
	var segment feed.Segment
	for seq := int64(1); seq <= n; seq++ {
		w.clock.Advance(time.Second)
		c := feed.Change{Type: feed.RoomChanged, Origin: uint64(seq)}
		newest := segment.Newest
		if slices.Contains(at, seq) {
			posted[seq] = w.sent("bob", fmt.Sprint(seq))
			c, newest = feed.ChangeOf(posted[seq]), newest.With(posted[seq], 1)
		}
		segment = feed.Segment{
			Room: "seattle", First: seq, Count: segment.Total(), Changes: []feed.Change{c}, Generation: "g", WrittenAt: w.clock.Now().UTC(), Newest: newest,
		}
		if ok, err := w.store.AppendSegment(t.Context(), segment); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	if err := w.store.PutFeedHead(t.Context(), segment.Head()); err != nil {
		t.Fatal(err)
	}
	return w, metered, m, posted
}

func count(names []string, name string) (n int) {
	for _, got := range names {
		if got == name {
			n++
		}
	}
	return n
}

// TestMarkMessage_ReadsTheNewestChangesOnce marks messages in the worst case for a query, a segment
// for each change, and counts the queries.
func TestMarkMessage_ReadsTheNewestChangesOnce(t *testing.T) {
	t.Parallel()
	const last = 1300
	at := []int64{3, 150, last - 1000, last - 999, last - 500, last - 20, last - 2}
	w, metered, meter, posted := newLongFeed(t, last, at...)
	for i, seq := range at {
		left := int64(len(at) - i)
		check := func(what string, want inbox.Reading, mark func(context.Context) (inbox.Reading, error)) {
			t.Helper()
			var got inbox.Reading
			var err error
			units, _, names := meter.measured(t, func(ctx context.Context) { got, err = mark(ctx) })
			t.Logf("%s %d back: %.1f units, %d calls", what, last-seq, units, len(names))
			if err != nil || got != want {
				t.Errorf("%s %d back: %+v, want %+v, %v", what, last-seq, got, want, err)
			}
			if n := count(names, "read feed"); want.Unread == 0 && n != 1 {
				t.Errorf("%s %d back: %d queries, want 1: %q", what, last-seq, n, names)
			}
		}
		// Eve has read everything, so her count reads no segment.
		if _, err := w.Inbox.MarkRead(t.Context(), "eve", "seattle", last); err != nil {
			t.Fatal(err)
		}
		if seq > last-1000 {
			check("a read message", inbox.Reading{Seq: last}, func(ctx context.Context) (inbox.Reading, error) {
				return metered.Inbox.MarkMessage(ctx, "eve", "seattle", posted[seq].ID)
			})
		}
		check("a message", inbox.Reading{Seq: seq, Unread: left - 1}, func(ctx context.Context) (inbox.Reading, error) {
			return metered.Inbox.MarkMessage(ctx, "carl", "seattle", posted[seq].ID)
		})
		check("an unread message", inbox.Reading{Seq: seq - 1, Unread: left}, func(ctx context.Context) (inbox.Reading, error) {
			return metered.Inbox.MarkUnread(ctx, "dora", "seattle", posted[seq].ID)
		})
	}
}

// staleReplica leaves the newest segment out of reads that are not consistent.
type staleReplica struct{ app.Stores }

func (s staleReplica) SegmentsBack(ctx context.Context, r feed.SegmentRange) ([]feed.Segment, bool, error) {
	segments, more, err := s.Stores.SegmentsBack(ctx, r)
	if !r.Consistent && len(segments) > 1 {
		segments = segments[1:]
	}
	return segments, more, err
}

// TestMarkMessage_StaleReplicaMarksNoLaterMessage marks the last message but one of the newest
// segment, which an eventual read does not see.
func TestMarkMessage_StaleReplicaMarksNoLaterMessage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	w.said("seattle", "bob", "1")
	m, next := w.sent("bob", "2"), w.sent("bob", "3")
	w.appendTo("seattle", []feed.Change{feed.ChangeOf(m), feed.ChangeOf(next)}, nil)
	stale := app.New(app.Options{Store: staleReplica{w.store}, Clock: w.clock.Now})
	if got, err := stale.Inbox.MarkMessage(t.Context(), "eve", "seattle", m.ID); err != nil || got.Seq != 2 {
		t.Errorf("%+v, %v, want 2", got, err)
	}
}

// TestMarkMessage_OutsideTheFeed covers messages that the feed does not have yet, and no longer.
func TestMarkMessage_OutsideTheFeed(t *testing.T) {
	t.Parallel()
	w, remove := newExpiringFixture(t)
	mark := func(what string, m chat.Message, want inbox.Reading, back inbox.Reading) {
		t.Helper()
		user := chat.UserID(fmt.Sprint("u", rand.Uint32()))
		if got, err := w.Inbox.MarkMessage(t.Context(), user, "seattle", m.ID); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", what, got, err, want)
		}
		if got, err := w.Inbox.MarkUnread(t.Context(), user, "seattle", m.ID); err != nil || got != back {
			t.Errorf("%s, as unread: %+v, %v, want %+v", what, got, err, back)
		}
	}
	mark("in an empty feed", w.sent("bob", "0"), inbox.Reading{}, inbox.Reading{})
	first := w.sent("bob", "1")
	one := w.appendTo("seattle", []feed.Change{feed.ChangeOf(first)}, nil)
	two := w.two()
	mark("in the feed", first, inbox.Reading{Seq: 1, Unread: 2}, inbox.Reading{Unread: 3})
	late := w.sent("bob", "late")
	mark("not yet in the feed", late, inbox.Reading{Seq: 3}, inbox.Reading{Seq: 3})
	w.clock.Advance(time.Second)
	last := w.sent("bob", "last")
	three := w.appendTo("seattle", []feed.Change{{Type: feed.RoomChanged, Origin: 1}, feed.ChangeOf(last)}, nil)
	w.clock.Advance(90 * 24 * time.Hour)
	remove(one)
	gone := func(what string, id chat.MessageID) {
		t.Helper()
		_, err := w.Inbox.MarkMessage(t.Context(), "eve", "seattle", id)
		chattest.WantKind(t, what, err, chat.Invalid)
		_, err = w.Inbox.MarkUnread(t.Context(), "eve", "seattle", id)
		chattest.WantKind(t, what+" as unread", err, chat.Invalid)
	}
	gone("a message of a removed segment", first.ID)
	gone("a message that never came into the feed", late.ID)
	remove(two)
	remove(three)
	mark("the newest of a quiet room", last, inbox.Reading{Seq: 5}, inbox.Reading{Seq: 4, Unread: 1})
	gone("an older message of a quiet room", two.Changes[1].Message)
	_, err := w.Inbox.MarkMessage(t.Context(), "eve", "seattle", chat.MessageID{UUID: first.ID.UUID, User: "nobody"})
	chattest.WantKind(t, "a message that does not exist", err, chat.NotFound)
}

// TestMark_AgreesWithARecount marks at random and counts again by the feed's changes. A marker goes
// back only by MarkUnread.
func TestMark_AgreesWithARecount(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 2)
	var changes []feed.Change
	var messages []chat.Message
	var marker int64
	for step := range 150 {
		if step%5 == 0 || len(messages) == 0 {
			var batch []feed.Change
			for range 1 + random.IntN(12) {
				m := w.sent([]chat.UserID{"maker", "bob", "eve"}[random.IntN(3)], "text")
				messages, batch = append(messages, m), append(batch, feed.ChangeOf(m))
				if old := messages[random.IntN(len(messages))]; random.IntN(4) == 0 {
					batch = append(batch, feed.Change{Type: feed.MessageDeleted, Message: old.ID, Revision: 2})
				}
				w.clock.Advance(time.Duration(random.IntN(3000)) * time.Millisecond)
			}
			changes = append(changes, batch...)
			w.appendTo("seattle", batch, nil)
		}
		id := messages[random.IntN(len(messages))].ID
		at := 1 + int64(slices.IndexFunc(changes, func(c feed.Change) bool { return c.Type == feed.MessageCreated && c.Message == id }))
		var got inbox.Reading
		var err error
		switch random.IntN(3) {
		case 0:
			got, err = w.Inbox.MarkMessage(t.Context(), "maker", "seattle", id)
			marker = max(marker, at)
		case 1:
			got, err = w.Inbox.MarkUnread(t.Context(), "maker", "seattle", id)
			marker = at - 1
		default:
			seq := int64(random.IntN(len(changes) + 1))
			got, err = w.Inbox.MarkRead(t.Context(), "maker", "seattle", seq)
			marker = max(marker, seq)
		}
		if want := (inbox.Reading{Seq: marker, Unread: recount(changes, marker, "maker")}); err != nil || got != want {
			t.Fatalf("step %d: %+v, want %+v, %v", step, got, want, err)
		}
	}
}

// recount counts the messages after a marker that neither the reader sent nor anybody deleted.
func recount(changes []feed.Change, marker int64, reader chat.UserID) (n int64) {
	deleted := map[chat.MessageID]bool{}
	for _, c := range changes {
		deleted[c.Message] = deleted[c.Message] || c.Type == feed.MessageDeleted
	}
	for _, c := range changes[marker:] {
		if c.Type == feed.MessageCreated && c.Message.User != reader && !deleted[c.Message] {
			n++
		}
	}
	return n
}

// TestMark_OlderVersionsMoveTheSameMarker writes a marker as a version without receipts does, before
// and after this version. The receipt of this version stays until this version moves it.
func TestMark_OlderVersionsMoveTheSameMarker(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	one, two, three := w.said("seattle", "bob", "1"), w.said("seattle", "bob", "2"), w.said("seattle", "bob", "3")
	older := func(seq string) {
		t.Helper()
		number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
		in := &dynamodb.UpdateItemInput{
			TableName: aws.String(chattest.Table), Key: table.ReadMarkerKey("seattle", "maker"),
			UpdateExpression:          aws.String("SET #seq = :seq, #count = :seq, #type = :type, #v = :v"),
			ConditionExpression:       aws.String("attribute_not_exists(PK) OR #seq < :seq"),
			ExpressionAttributeNames:  map[string]string{"#seq": "seq", "#count": "count", "#type": "type", "#v": "v"},
			ExpressionAttributeValues: table.Item{":seq": number(seq), ":type": &types.AttributeValueMemberS{Value: "read"}, ":v": number("1")},
		}
		if _, err := w.client.UpdateItem(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	want := func(seq int64, of chat.MessageID) {
		t.Helper()
		_, markers, err := inbox.NewStore(w.store.Table()).OwnRooms(t.Context(), "maker", nil)
		if m := markers["seattle"]; err != nil || m.Seq != seq || m.Count != seq || m.Receipt.Message != of {
			t.Errorf("%+v, %v, want %d and %s", m, err, seq, of)
		}
	}
	older("1")
	want(1, chat.MessageID{})
	mark := func(m chat.Message, do func(context.Context, chat.UserID, chat.RoomID, chat.MessageID) (inbox.Reading, error)) {
		t.Helper()
		if _, err := do(t.Context(), "maker", "seattle", m.ID); err != nil {
			t.Fatal(err)
		}
	}
	mark(two, w.Inbox.MarkMessage)
	want(2, two.ID)
	older("3")
	want(3, two.ID)
	mark(one, w.Inbox.MarkUnread)
	want(0, two.ID)
	mark(one, w.Inbox.MarkMessage) // the receipt stays with the later message
	want(1, two.ID)
	older("2")
	want(2, two.ID)
	mark(three, w.Inbox.MarkMessage)
	want(3, three.ID)
}
