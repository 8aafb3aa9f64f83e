package stream_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// heapSlack is what the heap may hold besides tails: clients' buffers and connections.
const heapSlack = 512 << 10

// TestAppend_TailsOfAllRoomsShareOneBudget appends a thousand changes to each of 20 rooms, whose
// tails take three times the budget. It is not parallel, because it measures the heap.
func TestAppend_TailsOfAllRoomsShareOneBudget(t *testing.T) {
	const budget = 2 << 20
	created := time.Now().UTC().Truncate(time.Second)
	w := newFixture(t)
	appender := stream.NewAppender(stream.Options{Store: w.store, Clock: time.Now, Memory: budget})
	wantHeap(t, budget, func() {
		for room := range 20 {
			if n, err := appender.Append(t.Context(), chat.RoomID(fmt.Sprint("room-", room)), "g", longChanges(created, feed.MaxSegmentChanges)); n != feed.MaxSegmentChanges || err != nil {
				t.Fatal(n, err)
			}
		}
	})
	if n, err := appender.Append(t.Context(), "room-0", "g", longChanges(created, 10)); n > 10 || err != nil {
		t.Errorf("%d changes were appended to a room whose tail was dropped, %v", n, err)
	}
	runtime.KeepAlive(appender)
}

// TestAppend_OneRoomTakesPartOfTheBudget appends eight segments to a room, whose identities
// would take twice the budget. The tail keeps some and is not dropped as a whole. It is not
// parallel, because it measures the heap.
func TestAppend_OneRoomTakesPartOfTheBudget(t *testing.T) {
	const budget, segments = 1 << 20, 8
	created := time.Now().UTC().Truncate(time.Second)
	w := newFixture(t)
	store := &countedTails{Store: w.store}
	appender := stream.NewAppender(stream.Options{Store: store, Clock: time.Now, Memory: budget})
	wantHeap(t, budget, func() {
		if n, err := appender.Append(t.Context(), "seattle", "g", longChanges(created, segments*feed.MaxSegmentChanges)); n != segments*feed.MaxSegmentChanges || err != nil {
			t.Fatal(n, err)
		}
	})
	if n, err := appender.Append(t.Context(), "seattle", "g", longChanges(created, 1)); n != 0 || err != nil || store.reads != 1 {
		t.Errorf("%d changes are appended again, after %d reads of the tail, %v; want one read", n, store.reads, err)
	}
	runtime.KeepAlive(appender)
}

// countedTails counts the reads of tails.
type countedTails struct {
	stream.Store
	reads int
}

func (c *countedTails) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) ([]feed.Segment, feed.Head, error) {
	c.reads++
	return c.Store.FeedTail(ctx, room, after, since)
}

// wantHeap calls f and checks that the heap has grown by no more than the budget.
func wantHeap(t *testing.T, budget int64, f func()) {
	t.Helper()
	before := heap()
	f()
	grown := heap() - before
	t.Logf("the heap has grown by %d KB", grown>>10)
	if grown > budget+heapSlack {
		t.Errorf("the heap has grown by %d KB, want at most %d KB", grown>>10, (budget+heapSlack)>>10)
	}
}

// heap returns the bytes of the objects that are reachable.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// longChanges returns changes of messages of users with the longest ids, made at one time.
func longChanges(created time.Time, n int) []feed.StreamChange {
	changes := make([]feed.StreamChange, n)
	for i := range changes {
		user := chat.UserID(fmt.Sprintf("%s%06d", strings.Repeat("u", chat.MaxUserID-6), i))
		id := chat.MessageID{User: user, UUID: chat.NewUUID(created, [10]byte{7: byte(i >> 16), 8: byte(i >> 8), 9: byte(i)})}
		changes[i] = feed.StreamChange{Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: created}
	}
	return changes
}
