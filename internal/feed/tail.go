package feed

import (
	"context"
	"sync"
	"time"

	"parley/internal/chat"
)

const (
	// clockSkew is how far the clocks of those who append may differ from each other and from the
	// stream's, which tells when a record was created to the second below.
	clockSkew = 5 * time.Second
	// maxTails bounds the rooms whose feeds' ends a process remembers.
	maxTails = 1000
	// maxIdentities bounds the changes that are remembered of one room; beyond, segments
	// are read again when they may matter.
	maxIdentities = 20_000
)

// tail is the end of one room's feed as this process knows it.
//
// Whether a record was appended before is found out by looking back: it cannot have been before it
// was created, so only segments that were written since then can hold it, and of those
// only the ones whose records were created around the same time. No mark is kept
// that could be wrong when the stream is split, merged or read by somebody else.
type tail struct {
	mu    sync.Mutex
	room  chat.RoomID
	store Store

	loaded   bool
	covers   time.Time // all that was written since is in segments
	asOf     time.Time // when it was the end of the feed
	segments []summary // oldest first
	held     int       // identities in all of them
	end      chat.FeedHead
	headed   bool // end is kept
}

// summary is what is remembered of a segment.
type summary struct {
	first, last int64
	generation  string
	writtenAt   time.Time
	createdFrom time.Time
	createdTo   time.Time
	identities  map[chat.Change]struct{} // nil when they were dropped
}

func summarize(s chat.Segment) summary {
	sum := summary{
		first: s.First, last: s.Last(), generation: s.Generation, writtenAt: s.WrittenAt,
		createdFrom: s.CreatedFrom, createdTo: s.CreatedTo,
	}
	sum.remember(s.Changes)
	return sum
}

func (s *summary) remember(changes []chat.Change) {
	s.identities = make(map[chat.Change]struct{}, len(changes))
	for _, c := range changes {
		s.identities[c.Identity()] = struct{}{}
	}
}

// cover sees that the tail goes back far enough to judge the changes, and to know
// which numbers have settled.
func (t *tail) cover(ctx context.Context, now time.Time, changes []Change) error {
	since := now.Add(-chat.IndexLag)
	for _, c := range changes {
		if c.Created.Before(since) {
			since = c.Created
		}
	}
	since = since.Add(-clockSkew)
	if t.loaded && !t.covers.After(since) {
		return nil
	}
	t.forget()
	segments, head, err := t.store.FeedTail(ctx, t.room, 0, since)
	if err != nil {
		return err
	}
	t.loaded, t.covers, t.asOf = true, since, now
	for _, s := range segments {
		t.push(s)
	}
	if head.Last > t.end.Last {
		t.end, t.headed = head, true
	}
	return nil
}

// catchUp reads what others have appended.
func (t *tail) catchUp(ctx context.Context, now time.Time) error {
	var after int64
	if n := len(t.segments); n > 0 {
		after = t.segments[n-1].first
	}
	segments, _, err := t.store.FeedTail(ctx, t.room, after, time.Time{})
	if err != nil {
		t.forget()
		return err
	}
	t.asOf = now
	for _, s := range segments {
		t.push(s)
	}
	return nil
}

// push adds the next segment, and drops the oldest identities when there are too many.
func (t *tail) push(s chat.Segment) {
	t.segments = append(t.segments, summarize(s))
	t.end, t.headed = s.Head(), false
	t.held += len(s.Changes)
	for i := range t.segments {
		if t.held <= maxIdentities || i == len(t.segments)-1 {
			return
		}
		t.held -= len(t.segments[i].identities)
		t.segments[i].identities = nil
	}
}

func (t *tail) forget() {
	t.loaded, t.segments, t.held = false, nil, 0
	t.end, t.headed = chat.FeedHead{}, false
}

// putHead keeps where the feed ends, unless that was done. A batch is done with only then: should
// the process end before, the batch comes again.
func (t *tail) putHead(ctx context.Context) error {
	if t.headed || t.end.Last == 0 {
		return nil
	}
	if err := t.store.PutFeedHead(ctx, t.end); err != nil {
		return err
	}
	t.headed = true
	return nil
}

// fresh returns the changes that are not in the feed, each once.
func (t *tail) fresh(ctx context.Context, changes []Change) ([]Change, error) {
	var fresh []Change
	seen := map[chat.Change]bool{}
	for _, c := range changes {
		id := c.Identity()
		if seen[id] {
			continue
		}
		seen[id] = true
		known, err := t.holds(ctx, id, c.Created)
		if err != nil {
			return nil, err
		}
		if !known {
			fresh = append(fresh, c)
		}
	}
	return fresh, nil
}

// holds looks back for a change, to before it was created.
func (t *tail) holds(ctx context.Context, id chat.Change, created time.Time) (bool, error) {
	for i := len(t.segments) - 1; i >= 0; i-- {
		s := &t.segments[i]
		if !created.IsZero() {
			if s.writtenAt.Before(created.Add(-clockSkew)) {
				return false, nil
			}
			if created.Before(s.createdFrom) || created.After(s.createdTo) {
				continue
			}
		}
		if s.identities == nil {
			if err := t.recall(ctx, s); err != nil {
				return false, err
			}
		}
		if _, ok := s.identities[id]; ok {
			return true, nil
		}
	}
	return false, nil
}

// recall reads the identities of a segment again. They are held until the next push.
func (t *tail) recall(ctx context.Context, s *summary) error {
	segment, err := t.store.FeedSegment(ctx, t.room, s.first)
	if err != nil {
		return err
	}
	s.remember(segment.Changes)
	t.held += len(s.identities)
	return nil
}

// begins tells whether a segment of a generation would be its first one. The number that it takes is far
// behind the newest, so that it is not refused where others have appended since.
func (t *tail) begins(generation string) bool {
	return t.end.Last > 0 && generation > t.end.Generation
}

// next is the segment that goes on after the tail.
func (t *tail) next(generation string, changes []Change, now time.Time) chat.Segment {
	s := chat.Segment{Room: t.room, First: t.end.Last + 1, Count: t.end.Count, Generation: generation, WrittenAt: now}
	if t.end.WrittenAt.After(now) {
		s.WrittenAt = t.end.WrittenAt // clocks differ
	}
	switch {
	case t.end.Last == 0:
	case t.begins(generation):
		s.First += chat.GenerationGap
	default:
		s.Generation = t.end.Generation // an old stream's last records come late
	}
	s.CreatedFrom, s.CreatedTo = changes[0].Created, changes[0].Created
	for _, c := range changes {
		s.Changes = append(s.Changes, c.Change)
		if c.Created.Before(s.CreatedFrom) {
			s.CreatedFrom = c.Created
		}
		if c.Created.After(s.CreatedTo) {
			s.CreatedTo = c.Created
		}
	}
	if s.CreatedFrom.IsZero() { // not known: their records may come at any time, and by a clock that is ahead
		s.CreatedTo = later(s.CreatedTo, now.Add(clockSkew))
	}
	s.Settled = t.settled(s)
	return s
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// settled is the last number of s's generation that was written more than IndexLag before s, or the one before
// the generation's first. It is the one before the first of those written later: the segment that held it may have been
// removed, in any order, and from an older one's last number nobody could go on.
func (t *tail) settled(s chat.Segment) int64 {
	first := s.First
	for i := len(t.segments) - 1; i >= 0; i-- {
		before := t.segments[i]
		if before.generation != s.Generation || s.WrittenAt.Sub(before.writtenAt) > chat.IndexLag {
			break
		}
		first = before.first
	}
	return first - 1
}
