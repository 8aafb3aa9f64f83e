package live_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
)

// removalOf returns a batch with the change of a membership.
func (h *hall) removalOf(room chat.RoomID, user chat.UserID) feed.Batch {
	h.seq++
	return h.batch(room, feed.StreamChange{Change: feed.Change{Type: feed.MemberChanged, User: user}, Created: time.Now()})
}

const unsubscribed = `{"type":"unsubscribed","room":"p-1"}`

// TestConsume_TellsARemovedPerson removes somebody whose subscriptions the API did not delete.
func TestConsume_TellsARemovedPerson(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("p-1", live.Full, "bob", "carol")
		h.denied["bob"] = &chat.Error{Kind: chat.NotFound}
		d := h.delivery()
		for range 2 {
			if err := d.Consume(t.Context(), h.removalOf("p-1", "bob")); err != nil {
				t.Fatal(err)
			}
		}
		if got := h.received("bob"); !slices.Equal(got, []string{unsubscribed}) {
			t.Errorf("bob received %q", got)
		}
		if got := h.seqs("carol"); !slices.Equal(got, []int64{1, 2}) {
			t.Errorf("carol received %v", got)
		}
	})
}

// TestConsume_SendsNothingToTheUndecided cannot read whether somebody was removed, for two batches.
// Then they receive what they have missed, or nothing.
func TestConsume_SendsNothingToTheUndecided(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pause    time.Duration // between batches
		decision error
		seqs     []int64
	}{
		"allowed":       {0, nil, []int64{1, 2, 3}},
		"allowed later": {6 * time.Second, nil, []int64{3}},
		"denied":        {0, &chat.Error{Kind: chat.Forbidden}, nil},
		"denied later":  {6 * time.Second, &chat.Error{Kind: chat.Forbidden}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newHall()
				h.join("p-1", live.Full, "bob", "carol")
				h.denied["bob"] = &chat.Error{Kind: chat.Unavailable}
				d := h.delivery()
				for _, b := range []feed.Batch{h.removalOf("p-1", "bob"), h.message("p-1", "hello")} {
					if err := d.Consume(t.Context(), b); chat.KindOf(err) != chat.Unavailable {
						t.Error(err)
					}
					time.Sleep(tt.pause)
				}
				if got := h.received("bob"); got != nil {
					t.Errorf("bob received %q before it was decided", got)
				}
				h.denied["bob"] = tt.decision
				if err := d.Consume(t.Context(), h.message("p-1", "hello")); err != nil {
					t.Fatal(err)
				}
				if got := h.seqs("bob"); !slices.Equal(got, tt.seqs) {
					t.Errorf("bob received %v, want %v", got, tt.seqs)
				}
				if tt.decision != nil && !slices.Equal(h.received("bob"), []string{unsubscribed}) {
					t.Errorf("bob received %q", h.received("bob"))
				}
				if got := h.seqs("carol"); !slices.Equal(got, []int64{1, 2, 3}) {
					t.Errorf("carol received %v", got)
				}
			})
		})
	}
}

// TestConsume_EndsTheSubscriptionsOfTheBanned bans readers who never joined: the feed does not show
// it. One of them may read again meanwhile.
func TestConsume_EndsTheSubscriptionsOfTheBanned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("p-1", live.Full, "bob", "carol", "dave")
		h.denied["bob"] = &chat.Error{Kind: chat.Forbidden}
		b := h.message("p-1", "hello")
		b.Banned = []chat.MemberOf{{Room: "p-1", User: "bob"}, {Room: "p-1", User: "carol"}, {Room: "seattle", User: "dave"}}
		if err := h.delivery().Consume(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if got := h.received("bob"); !slices.Equal(got, []string{unsubscribed}) || len(h.rows["p-1"]) != 2 {
			t.Errorf("bob received %q, subscriptions %v", got, h.rows)
		}
		for _, id := range []string{"carol", "dave"} {
			if got := h.seqs(id); !slices.Equal(got, []int64{1}) {
				t.Errorf("%s received %v", id, got)
			}
		}
	})
}

// TestConsume_EndsTheSubscriptionsToADeletedRoom deletes a room whose subscriptions the API did not
// delete.
func TestConsume_EndsTheSubscriptionsToADeletedRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("p-1", live.Full, "bob", "carol")
		h.join("seattle", live.Full, "dave")
		b := h.message("p-1", "the last words")
		b.Deleted = []chat.RoomID{"p-1", "portland"}
		if err := h.delivery().Consume(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"bob", "carol"} {
			if got := h.received(id); !slices.Equal(got, []string{unsubscribed}) {
				t.Errorf("%s received %q", id, got)
			}
		}
		if len(h.rows["p-1"]) != 0 || len(h.rows["seattle"]) != 1 || h.received("dave") != nil {
			t.Errorf("subscriptions %v, dave received %q", h.rows, h.received("dave"))
		}
	})
}

// TestConsume_EndsExpiredConnections delivers to a connection whose token has expired. The first
// batch after CloseDelay closes it, once.
func TestConsume_EndsExpiredConnections(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone")
		time.Sleep(time.Hour)
		h.join("seattle", live.Full, "laptop")
		const postTime = 10 * time.Millisecond
		h.post = func(context.Context, live.ConnectionID) error {
			time.Sleep(postTime)
			return nil
		}
		d := h.delivery()
		for _, pause := range []time.Duration{0, live.CloseDelay - postTime - 1, 1, live.CloseDelay} {
			time.Sleep(pause)
			if err := d.Consume(t.Context(), h.message("seattle", "hello")); err != nil {
				t.Fatal(err)
			}
			if got := h.received("phone"); !slices.Equal(got, []string{`{"type":"closing","reason":"expired"}`}) {
				t.Errorf("received %q", got)
			}
			if len(h.rows["seattle"]) != 1 || len(h.opened) != 1 {
				t.Errorf("subscriptions %v, connections %v", h.rows, h.opened)
			}
		}
		if !slices.Equal(h.closed, []live.ConnectionID{"phone"}) || h.ended["phone"].Sub(h.posts[0].at) != live.CloseDelay+postTime {
			t.Errorf("closed %v, %v after the last frame", h.closed, h.ended["phone"].Sub(h.posts[0].at))
		}
		if got := h.seqs("laptop"); !slices.Equal(got, []int64{1, 2, 3, 4}) {
			t.Errorf("the other received %v", got)
		}
	})
}

// TestConsume_ClosesTheSuspendedALittleLater suspends many people. Each connection is closed
// CloseDelay after its last frame, and the batch waits once for all. It does not wait if nobody is
// connected.
func TestConsume_ClosesTheSuspendedALittleLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		ids := connections(100)
		h.join("seattle", live.Full, ids...)
		b := feed.Batch{}
		for _, id := range ids {
			b.Suspended = append(b.Suspended, chat.UserID(id))
		}
		d := h.delivery()
		for _, want := range []time.Duration{live.CloseDelay, 0} {
			begun := time.Now()
			if err := d.Consume(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took != want {
				t.Errorf("took %v, want %v", took, want)
			}
		}
		for _, id := range ids {
			if got := h.received(id); !slices.Equal(got, []string{`{"type":"closing","reason":"suspended"}`}) {
				t.Errorf("%s received %q", id, got)
			}
		}
		for _, p := range h.posts {
			if got := h.ended[p.to].Sub(p.at); got != live.CloseDelay {
				t.Errorf("%s is closed %v after its last frame", p.to, got)
			}
		}
		if len(h.closed) != len(ids) || len(h.opened) != 0 {
			t.Errorf("%d are closed, %d stored", len(h.closed), len(h.opened))
		}
	})
}

// TestConsume_KeepsWhatItCouldNotAddress fails the read of an audience.
func TestConsume_KeepsWhatItCouldNotAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "phone")
		d := h.delivery()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.Consume(ctx, h.message("seattle", "one")); err == nil {
			t.Error("no error")
		}
		if err := d.Consume(t.Context(), h.message("seattle", "two")); err != nil {
			t.Fatal(err)
		}
		if got := h.seqs("phone"); !slices.Equal(got, []int64{1, 2}) {
			t.Errorf("received %v", got)
		}
	})
}

// TestConsume_TellsAPersonOfTheirRooms delivers personal changes. Leaving a public room does not end
// a subscription.
func TestConsume_TellsAPersonOfTheirRooms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		h.join("seattle", live.Full, "bob", "carol")
		personal := []feed.PersonalChange{
			{Type: feed.RoomRemoved, User: "bob", Room: "p-1"}, {Type: feed.ReadChanged, User: "bob", Room: "seattle", Read: 0},
			{Type: feed.BlockChanged, User: "bob", Other: "dave"}, {Type: feed.RoomAdded, User: "nobody", Room: "p-2"},
			{Type: feed.ReactionChanged, User: "bob", Room: "seattle", Emoji: "❤", Message: chat.MessageID{User: "amsg"}},
			{Type: feed.PollChanged, User: "bob", Room: "seattle", Message: chat.MessageID{User: "amsg"}},
		}
		if err := h.delivery().Consume(t.Context(), feed.Batch{Personal: personal}); err != nil {
			t.Fatal(err)
		}
		want := []string{
			`{"type":"personal","event":{"type":"room.removed","room":"p-1"}}`,
			`{"type":"personal","event":{"type":"read.changed","room":"seattle","read":0}}`,
			`{"type":"personal","event":{"type":"block.changed","user":"dave","blocked":false}}`,
			`{"type":"personal","event":{"type":"reaction.changed","room":"seattle","id":"00000000-0000-0000-0000-000000000000~amsg","emoji":"❤️","me":false}}`,
			`{"type":"personal","event":{"type":"poll.changed","room":"seattle","id":"00000000-0000-0000-0000-000000000000~amsg","choices":[]}}`,
		}
		if got := h.received("bob"); !slices.Equal(got, want) || len(h.posts) != 5 {
			t.Errorf("bob received %q of %d frames", got, len(h.posts))
		}
		h.posts, h.denied["bob"] = nil, &chat.Error{Kind: chat.NotFound}
		if err := h.delivery().Consume(t.Context(), feed.Batch{Personal: personal[:1]}); err != nil {
			t.Fatal(err)
		}
		if got := h.received("bob"); !slices.Equal(got, []string{unsubscribed, want[0]}) {
			t.Errorf("bob received %q", got)
		}
	})
}
