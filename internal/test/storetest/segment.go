package storetest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// FeedWriter has the methods that the feed function needs in addition to app.Stores.
type FeedWriter interface {
	// FeedTail returns the end of a feed, oldest first. It goes back to the newest segment written
	// before since, which is included. It stops earlier at the segment that begins with after,
	// which is not included. If after is 0, it also returns the head, which it reads first.
	FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) (tail []feed.Segment, head feed.Head, err error)
	// FeedSegment returns the segment that begins with first, or the zero Segment.
	FeedSegment(ctx context.Context, room chat.RoomID, first int64) (feed.Segment, error)
	// AppendSegment stores a segment, unless one with the same first number exists. It reports
	// whether the segment was stored.
	AppendSegment(ctx context.Context, segment feed.Segment) (bool, error)
	// PutFeedHead moves the head of a feed forward, never back.
	PutFeedHead(ctx context.Context, head feed.Head) error
}

// FeedStore is a store that also writes feeds.
type FeedStore interface {
	app.Stores
	FeedWriter
	// FeedFrom returns the current head, and what SegmentsFrom returns for it.
	FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (feed.Head, []feed.Segment, error)
}

// RunFeeds tests the feeds of a store. Each call of newStore returns an empty one.
func RunFeeds(t *testing.T, newStore func(t *testing.T) FeedStore) {
	for _, tt := range []struct {
		name string
		test func(*testing.T, FeedStore)
	}{
		{"a segment is stored once and read back in full", segmentIsStoredOnce},
		{"one of several concurrent appends under one number succeeds", concurrentSegmentAppends},
		{"a feed is read from any number", feedFromEveryNumber},
		{"the tail of a feed begins at the requested time or number", feedTail},
		{"the head of a feed never moves back", headNeverMovesBack},
		{"segments after the head are not returned to readers", headBehindSegments},
		{"feeds of rooms with similar ids are separate", similarFeeds},
		{"messages are found by their ids", messagesByID},
		{"members are found by their users", membersByUser},
		{"every page of replies is like a sorted list", repliesPageLikeASortedList},
		{"references of deleted replies stay marked", referencesStayMarked},
		{"threads are listed by the minute of their newest reply", threadsAreListedByMinute},
		{"segments are read from the end of any range", segmentsBack},
		{"summaries have the settings and the newest messages of rooms", summaries},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, newStore(t))
		})
	}
}

// segmentOf returns a segment of n changes that continues the segment before.
func segmentOf(before feed.Segment, room chat.RoomID, n int) feed.Segment {
	s := feed.Segment{
		Room: room, First: 1, Generation: "g", WrittenAt: start, Expires: start.Add(time.Hour),
		CreatedFrom: start.Add(-time.Second), CreatedTo: start,
		ReceivedFrom: start.Add(-time.Minute), ReceivedTo: start.Add(time.Millisecond),
	}
	if before.First > 0 {
		s.First, s.Count, s.WrittenAt = before.Last()+1, before.Total(), before.WrittenAt.Add(time.Second)
		s.Settled = before.Settled + 1
	}
	s.Newest = feed.Newest{Message: message(room, "amsg", start, start, int(s.First)).ID, ReceivedAt: start.Add(time.Duration(s.First) * time.Millisecond), Shard: 3}
	if s.First%2 == 0 {
		s.Newest.Gap = start
	}
	for i := range n {
		c := feed.Change{Type: feed.MemberChanged, User: "bob", Origin: uint64(i)}
		if i%2 == 0 {
			c = feed.ChangeOf(message(room, "amsg", start, start, int(s.First)+i))
		}
		s.Changes = append(s.Changes, c)
	}
	return s
}

// appendSegments appends segments of the given sizes and updates the head after each.
func appendSegments(t *testing.T, s FeedStore, room chat.RoomID, sizes ...int) []feed.Segment {
	t.Helper()
	var all []feed.Segment
	var last feed.Segment
	for _, n := range sizes {
		last = segmentOf(last, room, n)
		if ok, err := s.AppendSegment(t.Context(), last); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if err := s.PutFeedHead(t.Context(), last.Head()); err != nil {
			t.Fatal(err)
		}
		all = append(all, last)
	}
	return all
}

func wantSegments(t *testing.T, what string, got, want []feed.Segment, err error) {
	t.Helper()
	if d := cmp.Diff(want, got); err != nil || d != "" && len(got)+len(want) > 0 {
		t.Fatalf("%s: %v (-want +got):\n%s", what, err, d)
	}
}

func segmentIsStoredOnce(t *testing.T, s FeedStore) {
	if head, err := s.FeedHead(t.Context(), "seattle"); err != nil || head != (feed.Head{}) {
		t.Errorf("head of an empty feed: %+v, %v", head, err)
	}
	all := appendSegments(t, s, "seattle", 5)
	other := segmentOf(feed.Segment{}, "seattle", 2)
	if ok, err := s.AppendSegment(t.Context(), other); ok || err != nil {
		t.Errorf("append under an existing number: %v, %v", ok, err)
	}
	head, got, err := s.FeedFrom(t.Context(), "seattle", 1, 10)
	wantSegments(t, "the segment", got, all, err)
	if head != all[0].Head() {
		t.Errorf("head %+v, want %+v", head, all[0].Head())
	}
}

func concurrentSegmentAppends(t *testing.T, s FeedStore) {
	var appended atomic.Int32
	race(8, func(i int) {
		ok, err := s.AppendSegment(t.Context(), segmentOf(feed.Segment{}, "seattle", i+1))
		if err != nil {
			t.Error(err)
		}
		if ok {
			appended.Add(1)
		}
	})
	if appended.Load() != 1 {
		t.Errorf("%d appends succeeded, want 1", appended.Load())
	}
}

func feedFromEveryNumber(t *testing.T, s FeedStore) {
	all := appendSegments(t, s, "seattle", 1, 3, 1, 1, 7, 2, 1, 1, 1, 4)
	last := all[len(all)-1].Last()
	for seq := int64(0); seq <= last+2; seq++ {
		for _, limit := range []int{1, 2, 5, 50} {
			head, got, err := s.FeedFrom(t.Context(), "seattle", seq, limit)
			what := fmt.Sprintf("from %d, %d changes", seq, limit)
			if err != nil || head != all[len(all)-1].Head() {
				t.Fatalf("%s: head %+v, %v", what, head, err)
			}
			wantRun(t, what, got, all, [2]int64{seq, int64(limit)})
		}
	}
}

// wantRun checks the result of reading from[1] changes from the number from[0]. The first segment
// must contain that number. The others must follow without a gap and cover the changes.
func wantRun(t *testing.T, what string, got, all []feed.Segment, from [2]int64) {
	t.Helper()
	seq, limit := from[0], from[1]
	last := all[len(all)-1].Last()
	if seq < 1 || seq > last {
		for _, segment := range got {
			if seq < 1 || segment.Last() >= seq {
				t.Fatalf("%s: got %+v", what, segment)
			}
		}
		return
	}
	at := 0
	for all[at].Last() < seq {
		at++
	}
	if len(got) == 0 || len(got) > len(all)-at {
		t.Fatalf("%s: got %d segments", what, len(got))
	}
	wantSegments(t, what, got, all[at:at+len(got)], nil)
	if end := got[len(got)-1].Last(); end < min(last, seq+limit-1) {
		t.Fatalf("%s: the segments end with %d", what, end)
	}
}

func feedTail(t *testing.T, s FeedStore) {
	if tail, head, err := s.FeedTail(t.Context(), "seattle", 0, start); len(tail) != 0 || head.Last != 0 || err != nil {
		t.Errorf("tail of an empty feed: %+v, %+v, %v", tail, head, err)
	}
	sizes := make([]int, 30)
	for i := range sizes {
		sizes[i] = 1 + i%3
	}
	all := appendSegments(t, s, "seattle", sizes...)
	for back := range all {
		since := all[back].WrittenAt.Add(time.Millisecond)
		tail, head, err := s.FeedTail(t.Context(), "seattle", 0, since)
		wantSegments(t, fmt.Sprint("since ", back), tail, all[back:], err)
		if head != all[len(all)-1].Head() {
			t.Errorf("head %+v", head)
		}
		tail, _, err = s.FeedTail(t.Context(), "seattle", all[back].First, time.Time{})
		wantSegments(t, fmt.Sprint("after ", back), tail, all[back+1:], err)
	}
	tail, _, err := s.FeedTail(t.Context(), "seattle", 0, time.Time{})
	wantSegments(t, "all", tail, all, err)
}

func headNeverMovesBack(t *testing.T, s FeedStore) {
	all := appendSegments(t, s, "seattle", 2, 2)
	for _, segment := range all {
		if err := s.PutFeedHead(t.Context(), segment.Head()); err != nil {
			t.Fatal(err)
		}
	}
	if head, err := s.FeedHead(t.Context(), "seattle"); err != nil || head != all[1].Head() {
		t.Errorf("head %+v, %v", head, err)
	}
}

// headBehindSegments appends a segment without moving the head, like a process that ends too early.
func headBehindSegments(t *testing.T, s FeedStore) {
	all := appendSegments(t, s, "seattle", 2, 3)
	next := segmentOf(all[1], "seattle", 4)
	if ok, err := s.AppendSegment(t.Context(), next); !ok || err != nil {
		t.Fatal(ok, err)
	}
	want := all
	for _, shown := range []feed.Segment{all[1], next} {
		if err := s.PutFeedHead(t.Context(), shown.Head()); err != nil {
			t.Fatal(err)
		}
		head, got, err := s.FeedFrom(t.Context(), "seattle", 1, 50)
		wantSegments(t, "segments up to the head", got, want, err)
		if head != shown.Head() {
			t.Errorf("head %+v", head)
		}
		if tail, _, err := s.FeedTail(t.Context(), "seattle", 0, time.Time{}); err != nil || len(tail) != 3 {
			t.Errorf("the tail has %d segments, want 3, %v", len(tail), err)
		}
		want = append(want, next)
	}
	if got, err := s.FeedSegment(t.Context(), "seattle", next.First); err != nil || !cmp.Equal(got, next) {
		t.Errorf("segment: %+v, %v", got, err)
	}
	if got, err := s.FeedSegment(t.Context(), "seattle", 2); err != nil || got.First != 0 {
		t.Errorf("segment in the middle of another: %+v, %v", got, err)
	}
}

func similarFeeds(t *testing.T, s FeedStore) {
	rooms := []chat.RoomID{"seattle", "seattle-1", "seattle-1-1", "s"}
	for i, room := range rooms {
		appendSegments(t, s, room, i+1)
	}
	for i, room := range rooms {
		if head, got, err := s.FeedFrom(t.Context(), room, 1, 50); err != nil || len(got) != 1 || head.Last != int64(i+1) || head.Room != room {
			t.Errorf("%s: %+v, %d segments, %v", room, head, len(got), err)
		}
	}
}
