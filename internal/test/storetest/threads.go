package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/thread"
)

// rootOf returns the thread of a message.
func rootOf(m chat.Message) thread.Root { return thread.Root{Room: m.Room, ID: m.ID} }

// replyTo puts a reply with its reference, as the feed function would.
func replyTo(t *testing.T, s FeedStore, root, m chat.Message, showInRoom bool) chat.Message {
	t.Helper()
	m.Thread, m.ShowInRoom = root.ID, showInRoom
	put(t, s, m)
	ref := thread.Reference{Root: rootOf(root), Reply: m.ID, ReceivedAt: m.ReceivedAt, ShowInRoom: showInRoom}
	for range 2 {
		if err := s.PutReference(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// repliesPageLikeASortedList lists the replies to two messages, some of which the room lists, in
// pages of all sizes and both orders.
func repliesPageLikeASortedList(t *testing.T, s FeedStore) {
	newRoom(t, s, "seattle", 3)
	random := newRandom(t)
	roots := []chat.Message{message("seattle", "amsg", start, start, 1), message("seattle", "amsg", start, start, 2)}
	all := map[thread.Root][]chat.Message{}
	for n := range 40 {
		root := roots[random.IntN(2)]
		at := start.Add(time.Duration(random.IntN(8)) * time.Second)
		m := message("seattle", SimilarIDs[random.IntN(len(SimilarIDs))], at, at, 10+n)
		m = replyTo(t, s, root, m, random.IntN(2) == 0)
		all[rootOf(root)] = append(all[rootOf(root)], m)
	}
	for root, want := range all {
		slices.SortFunc(want, func(a, b chat.Message) int {
			return chat.Position{At: a.ReceivedAt, ID: a.ID}.Compare(chat.Position{At: b.ReceivedAt, ID: b.ID})
		})
		for _, order := range []chat.Order{chat.Oldest, chat.Newest} {
			for limit := 1; limit <= len(want)+1; limit++ {
				wantMessages(t, fmt.Sprintf("order %d by %d", order, limit), readReplies(t, s, thread.Range{Root: root, Order: order, Limit: limit}), want)
			}
			slices.Reverse(want)
		}
	}
	if got := readReplies(t, s, thread.Range{Root: thread.Root{Room: "seattle", ID: message("seattle", "bob", start, start, 1).ID}, Limit: 5}); len(got) != 0 {
		t.Errorf("a message without replies has %d", len(got))
	}
}

// readReplies reads a range in pages.
func readReplies(t *testing.T, s FeedStore, r thread.Range) []chat.Message {
	t.Helper()
	var all []chat.Message
	for {
		page, more, err := s.Replies(t.Context(), r)
		if err != nil || len(page) > r.Limit || more && len(page) == 0 {
			t.Fatalf("%d replies, more %v, %v", len(page), more, err)
		}
		all = append(all, page...)
		if !more {
			return all
		}
		last := page[len(page)-1]
		r.After = &chat.Position{At: last.ReceivedAt, ID: last.ID}
	}
}

// referencesStayMarked deletes a reply. Its reference stays marked when the creation is repeated.
func referencesStayMarked(t *testing.T, s FeedStore) {
	newRoom(t, s, "seattle", 1)
	root := message("seattle", "amsg", start, start, 1)
	m := replyTo(t, s, root, message("seattle", "bob", start, start, 2), true)
	ref := thread.Reference{Root: rootOf(root), Reply: m.ID, ReceivedAt: m.ReceivedAt, ShowInRoom: true}
	for _, deleted := range []bool{true, false, true} {
		ref.Deleted = deleted
		if err := s.PutReference(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	if got := readReplies(t, s, thread.Range{Root: rootOf(root), Limit: 5}); len(got) != 1 {
		t.Errorf("%d replies are listed", len(got))
	}
}

// threadsAreListedByMinute lists the threads of a room in pages, the newest first. A thread never
// moves back.
func threadsAreListedByMinute(t *testing.T, s FeedStore) {
	var want []chat.MessageID
	for n := range 6 {
		root := message("seattle", "amsg", start, start, n)
		at := start.Add(time.Duration(n) * time.Minute)
		for _, at := range []time.Time{at, at.Add(30 * time.Second), start} {
			if err := s.PutThread(t.Context(), rootOf(root), at); err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, root.ID)
	}
	if err := s.PutThread(t.Context(), thread.Root{Room: "sea", ID: want[0]}, start); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(want)
	for limit := 1; limit <= 7; limit++ {
		var got []chat.MessageID
		for after := (chat.ListPosition{}); ; {
			page, next, err := s.ThreadsOf(t.Context(), "seattle", after, limit)
			if err != nil || len(page) > limit {
				t.Fatal(len(page), err)
			}
			got = append(got, page...)
			if after = next; after == (chat.ListPosition{}) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %v, want %v", limit, got, want)
		}
	}
}

// followsAreDecidedOnce checks that nobody who stopped following a thread follows it by a reply,
// and that a marker never moves back.
func followsAreDecidedOnce(t *testing.T, s FeedStore) {
	f := thread.Follow{Root: rootOf(message("seattle", "amsg", start, start, 1)), User: "bob", Seq: 5}
	check := func(what string, want ...thread.Follow) {
		t.Helper()
		if got, err := s.FollowsOf(t.Context(), "bob"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", what, got, err, want)
		}
	}
	marker := func(seq, want int64) {
		t.Helper()
		moved := f
		moved.Seq = seq
		if got, err := s.PutThreadMarker(t.Context(), moved); err != nil || got.Seq != want || got.Following != f.Following {
			t.Errorf("a marker moved to %d is at %+v, %v, want %d", seq, got, err, want)
		}
	}
	marker(3, 3)
	check("only read")
	f.Following = true
	if err := s.PutFollower(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	f.Seq = 3
	check("a reply", f)
	marker(7, 7)
	marker(6, 7)
	f.Following = false
	if err := s.PutFollow(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	check("ceased")
	f.Following, f.Seq = true, 9
	if err := s.PutFollower(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	check("a reply after that")
	if err := s.PutFollow(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	f.Seq = 7
	check("again", f)
	other := thread.Follow{Root: thread.Root{Room: "sea", ID: f.Root.ID}, User: "bob", Following: true, Seq: rand.Int64N(chat.MaxSeq)}
	if err := s.PutFollower(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	check("another room's", other, f)
}
