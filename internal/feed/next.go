package feed

import (
	"time"

	"parley/internal/chat"
)

// begins tells whether a segment of a generation would be its first one. The number that it takes is far
// behind the newest, so that it is not refused where others have appended since.
func (t *tail) startsGeneration(generation string) bool {
	return t.end.Last > 0 && generation > t.end.Generation
}

// next is the segment that goes on after the tail.
func (t *tail) next(generation string, changes []Change, now time.Time, life time.Duration) chat.Segment {
	s := chat.Segment{Room: t.room, First: t.end.Last + 1, Count: t.end.Count, Generation: generation, WrittenAt: now}
	if t.end.WrittenAt.After(now) {
		s.WrittenAt = t.end.WrittenAt // clocks differ
	}
	switch {
	case t.end.Last == 0:
	case t.startsGeneration(generation):
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
	// Not before the segment in front of it, which may have been written under another setting: a hole in what
	// has not expired is a mistake, and found by repairs.
	s.Expires = now.Add(life).Truncate(time.Second)
	if n := len(t.segments); n > 0 {
		s.Expires = later(s.Expires, t.segments[n-1].expires)
	}
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
