package live_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
)

// headsOf returns a frame with the head of one room.
func headsOf(room, head string) string {
	return `{"type":"heads","rooms":[{"id":"` + room + `","head":` + head + `}]}`
}

// consume delivers batches.
func consume(t *testing.T, d *live.Delivery, batches ...feed.Batch) {
	t.Helper()
	for _, b := range batches {
		if err := d.Consume(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConsume_TellsTheHeadsThatWereMissed fails the posts to a connection in some way. A later batch
// of another room, by the same process or another one, tells it the head of its room, once.
func TestConsume_TellsTheHeadsThatWereMissed(t *testing.T) {
	t.Parallel()
	hangs := func(ctx context.Context) error { <-ctx.Done(); return live.ErrBusy }
	for name, tt := range map[string]struct {
		post  func(context.Context) error
		other bool          // another process runs the later batch
		pause time.Duration // before it
		mode  live.Mode
	}{
		"refused":                             {post: func(context.Context) error { return live.ErrBusy }},
		"failed in another way":               {post: func(context.Context) error { return errors.New("broken") }},
		"refused, then another process":       {post: func(context.Context) error { return live.ErrBusy }, other: true},
		"hung":                                {post: hangs, pause: 2 * time.Second},
		"hung, then another process":          {post: hangs, other: true, pause: 2 * time.Second},
		"refused to a connection with counts": {post: func(context.Context) error { return live.ErrBusy }, mode: live.Counts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				h.join("seattle", tt.mode, "phone")
				h.join("seattle", live.Full, "laptop")
				h.join("tacoma", live.Full, "laptop")
				h.post = func(ctx context.Context, id live.ConnectionID) error {
					if id == "phone" {
						return tt.post(ctx)
					}
					return nil
				}
				d := h.delivery()
				_ = d.Consume(t.Context(), h.message("seattle", "missed"))
				if len(h.missed) != 1 {
					t.Errorf("remembered: %+v", h.missed)
				}
				h.post = nil
				if tt.other {
					d = h.delivery()
				}
				time.Sleep(tt.pause)
				consume(t, d, h.message("tacoma", "one"), h.message("tacoma", "two"))
				if got := h.received("phone"); !slices.Equal(got, []string{headsOf("seattle", "1")}) {
					t.Errorf("received %q", got)
				}
				if len(h.missed) > 0 {
					t.Errorf("still remembered: %+v", h.missed)
				}
				if got := h.seqs("laptop"); !slices.Equal(got, []int64{1, 2, 3}) {
					t.Errorf("the other received %v", got)
				}
			})
		})
	}
}

// TestConsume_HungConnectionHearsItsHeadsAfterItsSilence lets messages pass while a connection is
// suspended. Neither process sends to it before the end.
func TestConsume_HungConnectionHearsItsHeadsAfterItsSilence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone")
		h.join("tacoma", live.Full, "phone")
		h.post = func(ctx context.Context, _ live.ConnectionID) error { <-ctx.Done(); return live.ErrBusy }
		d, other := h.delivery(), h.delivery()
		consume(t, d, h.message("seattle", "1"))
		h.post = nil
		consume(t, d, h.message("seattle", "2"), h.message("tacoma", "3"))
		consume(t, other, feed.Batch{Repeated: []feed.Reached{{Room: "olympia", Seq: 9}}})
		if got := h.received("phone"); len(got) > 0 || len(h.missed) != 2 {
			t.Errorf("received %q, remembered %+v", got, h.missed)
		}
		time.Sleep(2 * time.Second)
		consume(t, d, h.message("olympia", "4"))
		if got := h.received("phone"); !slices.Equal(got, []string{`{"type":"heads","rooms":[{"id":"seattle","head":2},{"id":"tacoma","head":3}]}`}) {
			t.Errorf("received %q", got)
		}
	})
}

// TestConsume_LooksSeldom delivers batches in quick succession. Only some read what other processes
// remember, and none that does not happen.
func TestConsume_LooksSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		d := h.delivery()
		for range 100 {
			consume(t, d, h.message("seattle", "hello"))
			time.Sleep(100 * time.Millisecond)
		}
		if h.looks != 2 {
			t.Errorf("%d reads in 10 s", h.looks)
		}
	})
}

// TestConsume_RepeatedBatchTellsEverybodyTheHead delivers what another process has appended, and
// perhaps not delivered. The process that has delivered it sends nothing more.
func TestConsume_RepeatedBatchTellsEverybodyTheHead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone", "gone")
		h.join("seattle", live.Counts, "tablet")
		h.denied["gone"] = &chat.Error{Kind: chat.Forbidden}
		d, other := h.delivery(), h.delivery()
		b := h.message("seattle", "hello")
		repeated := feed.Batch{Repeated: []feed.Reached{{Room: "seattle", Seq: 1}}, Banned: []chat.MemberOf{{Room: "seattle", User: "gone"}}}
		consume(t, other, repeated)
		for id, want := range map[string]string{"phone": headsOf("seattle", "1"), "tablet": headsOf("seattle", "1"), "gone": `{"type":"unsubscribed","room":"seattle"}`} {
			if got := h.received(id); !slices.Equal(got, []string{want}) {
				t.Errorf("%s received %q", id, got)
			}
		}
		h.posts = nil
		consume(t, d, b)
		h.posts = nil
		repeated.Banned = nil
		if consume(t, d, repeated); len(h.posts) > 0 {
			t.Errorf("a process repeats %+v", h.posts)
		}
	})
}

// TestConsume_LateChangesAreToldByTheirNumber keeps changes that were cut off for longer than they
// may be sent.
func TestConsume_LateChangesAreToldByTheirNumber(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone")
		d := h.delivery()
		h.readTime = time.Hour
		if err := d.Consume(t.Context(), h.message("seattle", "too late")); err == nil {
			t.Error("no error")
		}
		h.readTime = 0
		time.Sleep(6 * time.Second)
		consume(t, d, h.message("tacoma", "hello"))
		if got := h.received("phone"); !slices.Equal(got, []string{headsOf("seattle", "1")}) {
			t.Errorf("received %q", got)
		}
	})
}

// TestConsume_ProcessThatRunsOnNeedsNoBatch lets a process continue after its last batch.
func TestConsume_ProcessThatRunsOnNeedsNoBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone")
		var broken atomic.Bool
		broken.Store(true)
		h.post = func(context.Context, live.ConnectionID) error {
			if broken.Load() {
				return live.ErrBusy
			}
			return nil
		}
		var calls atomic.Int64
		d := live.NewDelivery(live.DeliveryOptions{
			Rows: h, Connections: h, Rooms: h, Poster: h, Missed: h, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
			After: func(d time.Duration, f func()) { calls.Add(1); time.AfterFunc(d, f) },
		})
		consume(t, d, h.message("seattle", "hello"))
		time.Sleep(5 * time.Second)
		broken.Store(false)
		time.Sleep(5 * time.Second)
		if got := h.received("phone"); !slices.Equal(got, []string{headsOf("seattle", "1")}) || calls.Load() > 5 {
			t.Errorf("received %q after %d calls", got, calls.Load())
		}
	})
}
