package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
)

// deleteRoom deletes a room of the fixture as its maker.
func (w *fixture) deleteRoom(room chat.Room) {
	w.t.Helper()
	owner := chat.OwnerOf(room, "maker")
	if ok, err := w.store.DeleteRoom(w.t.Context(), chat.RoomDeletion{Room: room, By: owner, At: time.Now()}); !ok || err != nil {
		w.t.Fatal(ok, err)
	}
}

// TestHandle_ClosedFeedTakesNothing deletes a room while one handler remembers the end of its feed,
// another one does not, and records of messages and members are on their way. Neither moves the
// head, delivers anything to consumers, or retries.
func TestHandle_ClosedFeedTakesNothing(t *testing.T) {
	w := newFixture(t)
	consumed := &consumedEntries{}
	w.consumers = []stream.Consumer{consumed}
	room := w.room("seattle", 1)
	w.post("seattle", "amsg", 1)
	warm, cold := w.handler(), w.handler()
	w.deliver(warm, w.stream.Next(t))
	before, err := w.store.FeedHead(t.Context(), "seattle")
	if err != nil || before.Last == 0 {
		t.Fatal(before, err)
	}
	delivered := consumed.n
	w.post("seattle", "amsg", 2)
	w.deleteRoom(room)
	late := w.stream.Next(t)
	for range 2 {
		w.deliver(cold, late)
		w.deliver(warm, late)
	}
	w.post("seattle", "amsg", 3)
	joined := chat.Membership{Room: "seattle", User: "bob", Name: "bob", Role: policy.Member, JoinedAt: time.Now().UTC().Truncate(time.Millisecond)}
	if ok, err := w.store.ChangeMembership(t.Context(), membership.Change{After: joined}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	later := w.stream.Next(t)
	w.deliver(warm, later)
	w.deliver(cold, later)
	after, err := w.store.FeedHead(t.Context(), "seattle")
	if err != nil || !after.Closed {
		t.Fatal(after, err)
	}
	after.Closed = false
	if after != before {
		t.Errorf("the head moved from %+v to %+v", before, after)
	}
	if consumed.n != delivered {
		t.Errorf("%d entries of the deleted room were delivered", consumed.n-delivered)
	}
	if len(w.failures.all) > 0 {
		t.Errorf("failures: %+v", w.failures.all)
	}
	tail, _, err := w.store.FeedTail(t.Context(), "seattle", 0, time.Time{})
	if err != nil || tail[len(tail)-1].Last() > before.Last+2 {
		t.Errorf("the feed has %d segments up to %d, %v: at most one may follow the head", len(tail), tail[len(tail)-1].Last(), err)
	}
}

// consumedEntries counts the entries that a consumer receives.
type consumedEntries struct{ n int }

func (c *consumedEntries) Consume(_ context.Context, b feed.Batch) error {
	rooms := b.Rooms
	for _, a := range rooms {
		c.n += len(a.Entries)
	}
	return nil
}

func TestPutFeedHead_OfAClosedFeed(t *testing.T) {
	w := newFixture(t)
	room := w.room("seattle", 1)
	w.deleteRoom(room)
	err := w.store.PutFeedHead(t.Context(), feed.Head{Room: "seattle", Last: 5, Generation: "g", WrittenAt: time.Now()})
	if !errors.Is(err, feed.ErrClosed) {
		t.Errorf("%v, want ErrClosed", err)
	}
	report, err := stream.Repair{
		Room: "seattle", History: w.store, Appender: stream.NewAppender(stream.Options{Store: w.store, Clock: time.Now}),
	}.Run(t.Context())
	if chat.KindOf(err) != chat.NotFound || report.Appended > 0 {
		t.Errorf("repair: %+v, %v, want NotFound", report, err)
	}
}
