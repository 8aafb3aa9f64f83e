package chat

import (
	"context"
	"slices"

	"parley/internal/policy"
)

// Entry is a change with its number in the feed.
type Entry struct {
	Seq    int64
	Change Change
	// Now is the current message of a message's change; nil when it no longer exists, and for
	// other changes.
	Now *Message
	// Member is the current membership of a member's change; nil when the person is not in the room,
	// and for other changes.
	Member *Membership
}

// Changes is a part of a room's feed, without holes.
type Changes struct {
	Entries []Entry
	// Head is the number of the newest change. A client that has seen it is up to date.
	Head int64
	// Since is the position behind the last entry, or the client's own where there is none. It is
	// zero with Reset.
	Since FeedPosition
	// Reset reports that the feed cannot go on from the client's position. The client begins again,
	// with a page of messages and its Since.
	Reset bool
}

// Changes returns the changes of a room behind a position, at most limit, fewer where their messages
// would weigh more than MaxPageBytes. It never refuses a client for a long absence: the answer is a
// Reset when the feed no longer holds the changes.
//
// Invalid for a limit or a position out of range, NotFound for an unknown or hidden room.
func (s *FeedService) Changes(ctx context.Context, caller UserID, room RoomID, since FeedPosition, limit int) (Changes, error) {
	if limit < 1 || limit > MaxLimit {
		return Changes{}, invalid("limit", "must be 1 to %d", MaxLimit)
	}
	if since.Seq < 0 || since.Seq > MaxSeq {
		return Changes{}, invalid("since", "must hold a number of 0 to %d", int64(MaxSeq))
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return Changes{}, err
	}
	head, segments, err := s.store.FeedFrom(ctx, room, since.Seq+1, limit)
	if err != nil {
		return Changes{}, err
	}
	if s.mustReset(since, head, segments) {
		return Changes{Head: head.Last, Reset: true}, nil
	}
	c := Changes{Head: head.Last, Since: FeedPosition{Seq: since.Seq, Generation: head.Generation}}
	if since.Seq == head.Last {
		return c, nil
	}
	if c.Entries, err = s.join(ctx, room, entriesAfter(since.Seq, segments, limit)); err != nil {
		return Changes{}, err
	}
	if n := len(c.Entries); n > 0 {
		c.Since.Seq = c.Entries[n-1].Seq
	}
	return c, nil
}

// mustReset reports whether the feed cannot go on from a position: it is of another generation,
// beyond the end, or before the oldest change that is left.
func (s *FeedService) mustReset(since FeedPosition, head FeedHead, segments []Segment) bool {
	beginning := since == FeedPosition{} // of any generation
	switch {
	case !beginning && since.Generation != head.Generation, since.Seq > head.Last:
		return true
	case since.Seq == head.Last:
		return false
	case len(segments) == 0 || segments[0].First > since.Seq+1 || segments[0].Last() <= since.Seq:
		return true // removed, or the numbers between two generations
	}
	first := segments[0]
	return first.Generation != head.Generation || !first.Expires.IsZero() && !first.Expires.After(s.clock())
}

// entriesAfter numbers the changes behind a position, up to the first hole. A client that goes on
// from a hole gets a Reset.
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

// join adds the current messages and memberships of a page, which ends early where the messages
// would weigh too much.
func (s *FeedService) join(ctx context.Context, room RoomID, entries []Entry) ([]Entry, error) {
	entries, err := s.joinMessages(ctx, room, entries)
	if err != nil {
		return nil, err
	}
	return entries, s.joinMembers(ctx, room, entries)
}

// joinMembers adds the current memberships. A page without a member's change reads nothing.
func (s *FeedService) joinMembers(ctx context.Context, room RoomID, entries []Entry) error {
	var users []UserID
	for _, e := range entries {
		if u := e.Change.User; e.Change.Type == MemberChanged && !slices.Contains(users, u) {
			users = append(users, u)
		}
	}
	if len(users) == 0 {
		return nil
	}
	members, err := s.store.MembersByUser(ctx, room, users)
	for i := range entries {
		if m := members[entries[i].Change.User]; m.In() && entries[i].Change.Type == MemberChanged {
			entries[i].Member = &m
		}
	}
	return err
}

// joinMessages adds the current messages, and ends the page early where they would weigh too much.
// It reads as many at once as surely fit.
func (s *FeedService) joinMessages(ctx context.Context, room RoomID, entries []Entry) ([]Entry, error) {
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
			continue // it no longer exists
		}
		if weight += m.Weight(); weight > MaxPageBytes && at > 0 {
			return entries[:at], nil
		}
		e.Now = &m
	}
	return entries, nil
}

// recall reads the messages of the next entries into known. One that does not exist becomes the
// zero Message.
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
