package stream_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/nightly"
)

// receive stores a message that was received at a time.
func (w *fixture) receive(user chat.UserID, at time.Time, n int) chat.Message {
	w.t.Helper()
	m := chat.Message{
		Room: "seattle", Text: "x", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16),
		ID: chat.MessageID{User: user, UUID: chat.NewUUID(at, [10]byte{9: byte(n)})},
	}
	if _, created, err := w.store.PutMessage(w.t.Context(), m); err != nil || !created {
		w.t.Fatal(created, err)
	}
	return m
}

func (w *fixture) newest() feed.Newest {
	w.t.Helper()
	head, err := w.store.FeedHead(w.t.Context(), "seattle")
	if err != nil {
		w.t.Fatal(err)
	}
	return head.Newest
}

// wantReceived checks when the messages of the newest segment were received.
func (w *fixture) wantReceived(from, to time.Time) {
	w.t.Helper()
	head, err := w.store.FeedHead(w.t.Context(), "seattle")
	if err != nil {
		w.t.Fatal(err)
	}
	_, segments, err := w.store.FeedFrom(w.t.Context(), "seattle", head.Last, 1)
	if err != nil || len(segments) != 1 {
		w.t.Fatal(segments, err)
	}
	if s := segments[0]; !s.ReceivedFrom.Equal(from) || !s.ReceivedTo.Equal(to) {
		w.t.Errorf("the segment's messages were received from %v to %v, want %v to %v", s.ReceivedFrom, s.ReceivedTo, from, to)
	}
}

// TestHandle_HeadCarriesTheMessageReceivedLast delivers records in random pieces, to processes with
// and without a copy of the feed's end.
func TestHandle_HeadCarriesTheMessageReceivedLast(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 3)
	now := time.Now().UTC().Truncate(time.Millisecond)
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	h := w.handler()
	var want chat.Message
	for round := range 12 {
		var times []time.Time
		for n := range 1 + random.IntN(4) {
			at := now.Add(time.Duration(random.IntN(2000)) * time.Millisecond)
			times = append(times, at)
			m := w.receive([]chat.UserID{"amsg", "bob", "eve"}[random.IntN(3)], at, 10*round+n)
			if (chat.Position{At: m.ReceivedAt, ID: m.ID}).Compare(chat.Position{At: want.ReceivedAt, ID: want.ID}) > 0 {
				want = m
			}
		}
		if random.IntN(3) == 0 {
			h = w.handler()
		}
		w.deliver(h, w.stream.Next(t))
		got := w.newest()
		if !got.Known() || got.Message != want.ID || !got.ReceivedAt.Equal(want.ReceivedAt) {
			t.Fatalf("round %d: %+v, want %v received at %v", round, got, want.ID, want.ReceivedAt)
		}
		w.wantReceived(slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare))
	}
}

// TestHandle_NewestIsUnknownAfterASegmentWithoutIt appends a segment whose newest message this
// version cannot read. A later message is known to be newer after the margin between clocks.
func TestHandle_NewestIsUnknownAfterASegmentWithoutIt(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	now := time.Now().UTC().Truncate(time.Millisecond)
	w.receive("amsg", now, 1)
	w.deliver(w.handler(), w.stream.Next(t))
	if !w.newest().Known() {
		t.Fatalf("%+v", w.newest())
	}

	head, segments, err := w.store.FeedFrom(t.Context(), "seattle", 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	unread := segments[len(segments)-1]
	unread.First, unread.Count, unread.WrittenAt, unread.Newest = head.Last+1, head.Count, now, feed.Newest{}
	unread.Changes = []feed.Change{feed.ChangeOf(w.receive("bob", now.Add(time.Second), 2))}
	if ok, err := w.store.AppendSegment(t.Context(), unread); err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := w.store.PutFeedHead(t.Context(), unread.Head()); err != nil {
		t.Fatal(err)
	}
	if got := w.newest(); got != (feed.Newest{}) {
		t.Fatalf("the head keeps %+v", got)
	}

	h := w.handler()
	w.stream.Next(t)
	for _, tt := range []struct {
		after time.Duration
		known bool
	}{{time.Second / 2, false}, {6 * time.Second, true}, {2 * time.Second, true}} {
		w.receive("eve", now.Add(tt.after), int(tt.after/time.Millisecond))
		w.deliver(h, w.stream.Next(t))
		if got := w.newest(); got.Known() != tt.known {
			t.Errorf("after a message received %v later: %+v", tt.after, got)
		}
	}
	if got := w.newest(); !got.ReceivedAt.Equal(now.Add(6*time.Second)) || !got.Gap.IsZero() {
		t.Errorf("%+v", got)
	}
}
