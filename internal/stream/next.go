package stream

import (
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// startsGeneration reports whether a segment would be the first of its generation. Its number is
// far beyond the newest, so its put succeeds even if other processes have appended meanwhile.
func (t *tail) startsGeneration(generation string) bool {
	return t.end.Last > 0 && generation > t.end.Generation
}

// next returns the segment that continues the tail, and the changes that have an entry in it.
func (t *tail) next(
	generation string, changes []feed.StreamChange, now time.Time, retention time.Duration,
) (next feed.Segment, kept []feed.StreamChange) {
	s := feed.Segment{Room: t.room, First: t.end.Last + 1, Count: t.end.Count, Generation: generation, WrittenAt: now}
	if t.end.WrittenAt.After(now) {
		s.WrittenAt = t.end.WrittenAt // clocks differ
	}
	switch {
	case t.end.Last == 0:
	case t.startsGeneration(generation):
		s.First += feed.GenerationGap
	default:
		s.Generation = t.end.Generation // records of an older stream may arrive late
	}
	s.CreatedFrom, s.CreatedTo = changes[0].Created, changes[0].Created
	for _, c := range changes {
		if c.Created.Before(s.CreatedFrom) {
			s.CreatedFrom = c.Created
		}
		if c.Created.After(s.CreatedTo) {
			s.CreatedTo = c.Created
		}
	}
	if s.CreatedFrom.IsZero() { // a change's time is unknown: its record may come later, from a clock ahead
		s.CreatedTo = later(s.CreatedTo, now.Add(clockSkew))
	}
	s.Merged, kept = merge(changes)
	for _, c := range kept {
		s.Changes = append(s.Changes, c.Change)
	}
	s.ReceivedFrom, s.ReceivedTo = received(kept)
	s.Settled = t.settled(s)
	s.Newest = newest(t.end, changes, s.WrittenAt)
	// A segment never expires before its predecessor, which may have been written with another
	// retention. A hole among segments that have not expired is therefore an error, which a repair
	// fills.
	s.Expires = now.Add(retention).Truncate(time.Second)
	if n := len(t.segments); n > 0 {
		s.Expires = later(s.Expires, t.segments[n-1].expires)
	}
	return s, kept
}

// received returns when the oldest and the newest of the messages were received that changes add to
// the room's listing, or zero times if there are none or one of the times is unknown.
func received(changes []feed.StreamChange) (from, to time.Time) {
	for _, c := range changes {
		if !c.CreatesInRoom() {
			continue
		}
		m := c.Item.Message
		if m == nil {
			return time.Time{}, time.Time{}
		}
		if from.IsZero() || m.ReceivedAt.Before(from) {
			from = m.ReceivedAt
		}
		to = later(to, m.ReceivedAt)
	}
	return from, to
}

// merge returns the changes of a segment that have an entry of their own, and the others.
func merge(changes []feed.StreamChange) (merged []feed.Merged, kept []feed.StreamChange) {
	all := make([]feed.Change, len(changes))
	for i, c := range changes {
		all[i] = c.Change
	}
	indexes, merged := feed.Merge(all)
	for _, i := range indexes {
		kept = append(kept, changes[i])
	}
	return merged, kept
}

// newest returns the newest message that the room lists, up to the end of changes that follow end.
func newest(end feed.Head, changes []feed.StreamChange, now time.Time) feed.Newest {
	n := end.Newest
	if n.Message == (chat.MessageID{}) && end.Count > 0 {
		n.Gap = later(n.Gap, end.WrittenAt) // it has a type of a later version
	}
	for _, c := range changes {
		if c.CreatesInRoom() && c.Item.Message == nil {
			n.Gap = now
		}
	}
	for _, c := range changes {
		if c.Type.OfMessage() && c.Item.Message != nil && c.Item.Message.InRoom() && c.Item.Message.System == nil {
			n = n.With(*c.Item.Message, c.Item.Shard)
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// settled returns the last number of s's generation that was written more than IndexLag before s,
// or the number before the generation's first. It is always the number before a segment of the
// tail: a reader could not continue from the last number of older segments, which may have been
// removed.
func (t *tail) settled(s feed.Segment) int64 {
	first := s.First
	for i := len(t.segments) - 1; i >= 0; i-- {
		before := t.segments[i]
		if before.generation != s.Generation || s.WrittenAt.Sub(before.writtenAt) > feed.IndexLag {
			break
		}
		first = before.first
	}
	return first - 1
}
