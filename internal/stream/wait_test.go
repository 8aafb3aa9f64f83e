package stream_test

import (
	"context"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// contested is a store whose first put is refused, as if another process had been first. It keeps
// when each put was made.
type contested struct {
	stream.Store
	puts []time.Time
}

func (c *contested) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	c.puts = append(c.puts, time.Now())
	if len(c.puts) == 1 {
		return false, nil
	}
	return c.Store.AppendSegment(ctx, s)
}

// TestAppend_WaitsLongerWithMoreChanges refuses the first put of a change, and of a thousand. The
// waits are the longest ones, since the random part of them is the whole.
func TestAppend_WaitsLongerWithMoreChanges(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for n, least := range map[int]time.Duration{1: 25 * time.Millisecond, 1000: 225 * time.Millisecond} {
		room := chat.RoomID("seattle-" + chat.NewUUID(time.Now(), [10]byte{byte(n)}).String())
		var changes []feed.StreamChange
		for i := range n {
			id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(time.Now(), [10]byte{8: byte(i >> 8), 9: byte(i)})}
			changes = append(changes, feed.StreamChange{Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: time.Now()})
		}
		store := &contested{Store: w.store}
		appender := stream.NewAppender(stream.Options{Store: store, Clock: time.Now, Jitter: func() float64 { return 1 }})
		if appended, err := appender.Append(t.Context(), room, "g", changes); appended != n || err != nil {
			t.Fatal(appended, err)
		}
		if len(store.puts) != 2 {
			t.Fatalf("%d changes take %d puts", n, len(store.puts))
		}
		if wait := store.puts[1].Sub(store.puts[0]); wait < least {
			t.Errorf("%d changes are put again after %v, want at least %v", n, wait, least)
		}
	}
}
