package chat

import (
	"context"

	"parley/internal/policy"
)

// Since is the position of a client in a room's feed.
type Since struct {
	Seq int64 // the last number it has seen; 0 is the beginning
	// Generation is the one that came with Seq; empty when the client kept none.
	Generation string
}

// Entry is a change with its number in the feed.
type Entry struct {
	Seq    int64
	Change Change
	// Now is the message of a message's change as it stands now; nil when it is no
	// longer there, and for other changes.
	Now *Message
}

// Changes is a part of a room's feed, without holes.
type Changes struct {
	Entries []Entry
	// Head is the number of the newest change there is; a client is up to date when it has seen it.
	Head       int64
	Generation string
	// Reset says that the feed cannot go on from where the client stands. It begins
	// anew: with a page of messages and its Since.
	Reset bool
}

// Changes returns the changes of a room behind a position, at most limit, fewer where their messages
// would weigh more than MaxPageBytes. It is never NotFound for a client that was away for long: what the
// feed no longer holds is a Reset.
//
// Invalid for a limit or a position out of range, NotFound for an unknown or hidden room.
func (s *FeedService) Changes(ctx context.Context, caller UserID, room RoomID, since Since, limit int) (Changes, error) {
	if limit < 1 || limit > MaxLimit {
		return Changes{}, invalid("limit", "must be 1 to %d", MaxLimit)
	}
	if since.Seq < 0 || since.Seq > MaxSeq {
		return Changes{}, invalid("since", "must be 0 to %d", int64(MaxSeq))
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return Changes{}, err
	}
	head, segments, err := s.store.FeedFrom(ctx, room, since.Seq+1, limit)
	if err != nil {
		return Changes{}, err
	}
	c := Changes{Head: head.Last, Generation: head.Generation}
	switch {
	case s.mustReset(since, head, segments):
		c.Reset = true
		return c, nil
	case since.Seq == c.Head:
		return c, nil
	}
	c.Entries, err = s.join(ctx, room, entriesAfter(since.Seq, segments, limit))
	return c, err
}

// mustReset tells whether a client cannot go on from where it stands: beyond the end, behind the
// beginning, or across a break.
func (s *FeedService) mustReset(since Since, head FeedHead, segments []Segment) bool {
	switch {
	case head.Last == 0:
		return since.Seq > 0
	case since.Generation != "" && since.Generation != head.Generation, since.Seq > head.Last:
		return true
	case since.Seq == head.Last:
		return false
	case len(segments) == 0 || segments[0].First > since.Seq+1 || segments[0].Last() <= since.Seq:
		return true // removed, or the numbers between two generations
	}
	first := segments[0]
	return first.Generation != head.Generation || !first.Expires.IsZero() && !first.Expires.After(s.clock())
}

// entriesAfter numbers the changes behind a position, as far as there is no hole: whoever goes on from
// there is told to begin anew.
func entriesAfter(seq int64, segments []Segment, limit int) []Entry {
	var entries []Entry
	for at, segment := range segments {
		if at > 0 && segment.First != segments[at-1].Last()+1 {
			return entries
		}
		for i, c := range segment.Changes {
			n := segment.First + int64(i)
			if n <= seq {
				continue
			}
			if len(entries) == limit {
				return entries
			}
			entries = append(entries, Entry{Seq: n, Change: c})
		}
	}
	return entries
}

// join adds the messages as they stand now, and ends early where they would weigh too
// much. It reads as many at once as surely fit.
func (s *FeedService) join(ctx context.Context, room RoomID, entries []Entry) ([]Entry, error) {
	weight := 0
	known := map[MessageID]Message{}
	for at := range entries {
		e := &entries[at]
		if e.Change.Type.Carries() != CarriesMessage {
			continue
		}
		if _, ok := known[e.Change.Message]; !ok {
			if err := s.recall(ctx, room, entries[at:], known); err != nil {
				return nil, err
			}
		}
		m := known[e.Change.Message]
		if m.Revision == 0 {
			continue // no longer there
		}
		if weight += m.Weight(); weight > MaxPageBytes && at > 0 {
			return entries[:at], nil
		}
		e.Now = &m
	}
	return entries, nil
}

// recall reads the messages of the next entries; what is not there is kept as the zero Message.
func (s *FeedService) recall(ctx context.Context, room RoomID, entries []Entry, known map[MessageID]Message) error {
	var ids []MessageID
	for _, e := range entries {
		if _, ok := known[e.Change.Message]; ok || e.Change.Type.Carries() != CarriesMessage {
			continue
		}
		known[e.Change.Message] = Message{}
		if ids = append(ids, e.Change.Message); len(ids) == recallBatch {
			break
		}
	}
	found, err := s.store.MessagesByID(ctx, room, ids)
	for id, m := range found {
		known[id] = m
	}
	return err
}
