package storetest

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/pin"
)

// pinOf returns the pin of the nth message, by bob.
func pinOf(n int) pin.Pin {
	id := chat.MessageID{UUID: chat.NewUUID(start, [10]byte{2: byte(n >> 8), 3: byte(n)}), User: "amsg"}
	return pin.Pin{Message: id, By: "bob", At: start.Add(time.Duration(n/2) * time.Second)} // some at once
}

func mustPin(t *testing.T, s app.Store, room chat.RoomID, p pin.Pin) {
	t.Helper()
	if stored, ok, err := s.Pin(t.Context(), room, p, pin.MaxPins); stored != p || !ok || err != nil {
		t.Fatalf("pin %+v: %+v, %v, %v", p, stored, ok, err)
	}
}

func wantPins(t *testing.T, s app.Store, room chat.RoomID, want []pin.Pin) {
	t.Helper()
	for _, recent := range []bool{false, true} {
		got, err := s.Pins(t.Context(), room, recent)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("pins of %s: %v (-want +got):\n%s", room, err, d)
		}
	}
}

func pinsAreStoredOnce(t *testing.T, s app.Store) {
	wantPins(t, s, "seattle", nil)
	for n := range 4 {
		mustPin(t, s, "seattle", pinOf(n))
	}
	mustPin(t, s, "sea", pinOf(0))
	want := []pin.Pin{pinOf(2), pinOf(3), pinOf(0), pinOf(1)}
	wantPins(t, s, "seattle", want)
	again := pinOf(1)
	again.By, again.At = "eve", start.Add(time.Hour)
	if stored, ok, err := s.Pin(t.Context(), "seattle", again, pin.MaxPins); stored != pinOf(1) || !ok || err != nil {
		t.Errorf("a second pin of a message: %+v, %v, %v", stored, ok, err)
	}
	for _, removed := range []bool{true, false} {
		if got, err := s.Unpin(t.Context(), "seattle", pinOf(3).Message); got != removed || err != nil {
			t.Errorf("unpinned: %v, %v, want %v", got, err, removed)
		}
	}
	wantPins(t, s, "seattle", slices.Delete(want, 1, 2))
	wantPins(t, s, "sea", []pin.Pin{pinOf(0)})
}

// pinsAreLimitedExactly pins and unpins more messages at once than there is room for.
func pinsAreLimitedExactly(t *testing.T, s app.Store) {
	const limit, people = 7, 50
	var pinned, full atomic.Int64
	var all sync.WaitGroup
	for n := range people {
		all.Go(func() {
			_, ok, err := s.Pin(t.Context(), "seattle", pinOf(n), limit)
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
	pins, err := s.Pins(t.Context(), "seattle", true)
	if err != nil || len(pins) != limit || pinned.Load() != limit || full.Load() != people-limit {
		t.Fatalf("%d pins, %d were pinned and %d refused, %v", len(pins), pinned.Load(), full.Load(), err)
	}
	if _, ok, err := s.Pin(t.Context(), "seattle", pins[3], limit); !ok || err != nil {
		t.Errorf("a pin that is there, in a full list: %v, %v", ok, err)
	}
	for range 2 {
		if _, err := s.Unpin(t.Context(), "seattle", pins[0].Message); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range []bool{true, false} {
		if _, ok, err := s.Pin(t.Context(), "seattle", pinOf(people+n), limit); ok != want || err != nil {
			t.Errorf("pin %d after one was removed: %v, %v", n+1, ok, err)
		}
	}
}
