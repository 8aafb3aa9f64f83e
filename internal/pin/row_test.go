package pin_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/tabletest"
)

func newTable(t *testing.T) *dynamo.Table {
	t.Helper()
	return dynamo.NewTable(tabletest.Start(t, chattest.Table), chattest.Table, nil)
}

// pinOf returns the pin of the nth message, by bob.
func pinOf(n int) pin.Pin {
	id := chat.MessageID{UUID: chat.NewUUID(chattest.Start, [10]byte{2: byte(n >> 8), 3: byte(n)}), User: "amsg"}
	return pin.Pin{Message: id, By: "bob", At: chattest.Start.Add(time.Duration(n/2) * time.Second)} // in pairs
}

func mustPin(t *testing.T, s *dynamo.Table, room chat.RoomID, p pin.Pin) {
	t.Helper()
	if stored, ok, err := pin.Put(t.Context(), s, room, p, pin.MaxPins); stored != p || !ok || err != nil {
		t.Fatalf("pin %+v: %+v, %v, %v", p, stored, ok, err)
	}
}

func wantPins(t *testing.T, s *dynamo.Table, room chat.RoomID, want []pin.Pin) {
	t.Helper()
	for _, c := range []dynamo.Consistency{dynamo.Eventual, dynamo.Strong} {
		got, err := pin.Read(t.Context(), s, room, c)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("pins of %s: %v (-want +got):\n%s", room, err, d)
		}
	}
}

func TestPut_OncePerMessage(t *testing.T) {
	t.Parallel()
	s := newTable(t)
	wantPins(t, s, "seattle", nil)
	for n := range 4 {
		mustPin(t, s, "seattle", pinOf(n))
	}
	mustPin(t, s, "sea", pinOf(0))
	want := []pin.Pin{pinOf(2), pinOf(3), pinOf(0), pinOf(1)}
	wantPins(t, s, "seattle", want)
	again := pinOf(1)
	again.By, again.At = "eve", chattest.Start.Add(time.Hour)
	if stored, ok, err := pin.Put(t.Context(), s, "seattle", again, pin.MaxPins); stored != pinOf(1) || !ok || err != nil {
		t.Errorf("a second pin of a message: %+v, %v, %v", stored, ok, err)
	}
	for _, removed := range []bool{true, false} {
		if got, err := pin.Remove(t.Context(), s, "seattle", pinOf(3).Message); got != removed || err != nil {
			t.Errorf("unpinned: %v, %v, want %v", got, err, removed)
		}
	}
	wantPins(t, s, "seattle", slices.Delete(want, 1, 2))
	wantPins(t, s, "sea", []pin.Pin{pinOf(0)})
}

// TestPut_ConcurrentlyWithinTheLimit concurrently pins and unpins more messages than there is room
// for.
func TestPut_ConcurrentlyWithinTheLimit(t *testing.T) {
	t.Parallel()
	s := newTable(t)
	const limit, people = 7, 50
	var pinned, full atomic.Int64
	var all sync.WaitGroup
	for n := range people {
		all.Go(func() {
			_, ok, err := pin.Put(t.Context(), s, "seattle", pinOf(n), limit)
			switch {
			case err != nil:
				t.Error(err)
			case ok:
				pinned.Add(1)
			default:
				full.Add(1)
			}
		})
	}
	all.Wait()
	pins, err := pin.Read(t.Context(), s, "seattle", dynamo.Strong)
	if err != nil || len(pins) != limit || pinned.Load() != limit || full.Load() != people-limit {
		t.Fatalf("%d pins, %d were pinned and %d refused, %v", len(pins), pinned.Load(), full.Load(), err)
	}
	if _, ok, err := pin.Put(t.Context(), s, "seattle", pins[3], limit); !ok || err != nil {
		t.Errorf("a pin that is there, in a full list: %v, %v", ok, err)
	}
	for range 2 {
		if _, err := pin.Remove(t.Context(), s, "seattle", pins[0].Message); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range []bool{true, false} {
		if _, ok, err := pin.Put(t.Context(), s, "seattle", pinOf(people+n), limit); ok != want || err != nil {
			t.Errorf("pin %d after one was removed: %v, %v", n+1, ok, err)
		}
	}
}
