package feed

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Entry is a change with its number in the feed. A newer version may have appended a change of a
// type that this version does not know; see ChangeType.Valid.
type Entry struct {
	Seq    int64
	Change Change
	// Message is the message of a message change, in the state after the change or a later one. It
	// is nil if the message no longer exists, and for other changes.
	Message *chat.Message
	// Member is the current membership of a member change; nil if the person is not in the room,
	// and for other changes.
	Member *chat.Membership
}

// Changes is a page of a room's feed, with consecutive numbers.
type Changes struct {
	Entries []Entry
	// Head is the number of the newest change. A client that has seen it is up to date.
	Head int64
	// Since is the position after the last entry, or the client's own if there is no entry. It is
	// zero if Reset is true.
	Since chat.FeedPosition
	// Reset reports that the feed cannot continue from the client's position. The client must
	// start over with a page of messages and its Since.
	Reset bool
}

// Changes returns the changes of a room after a position: at most limit, or fewer if their
// messages would exceed chat.MaxPageBytes. If the feed no longer contains the changes, the result
// is a Reset and not an error, however long the client was away.
//
// Changes reads the head while it authorizes the caller, then the segments of the page, then its
// messages and memberships. Each message is at least as new as its changes on the page. The error
// is Invalid for a limit or a position out of range, and otherwise as for Rooms.AuthorizeRecent.
func (s *Service) Changes(
	ctx context.Context, caller chat.UserID, room chat.RoomID, since chat.FeedPosition, limit int,
) (Changes, error) {
	if limit < 1 || limit > chat.MaxLimit {
		return Changes{}, chat.Invalidf("limit", "must be 1 to %d", chat.MaxLimit)
	}
	if since.Seq < 0 || since.Seq > chat.MaxSeq {
		return Changes{}, chat.Invalidf("since", "must hold a number of 0 to %d", int64(chat.MaxSeq))
	}
	head, err := s.readableHead(ctx, caller, room)
	if err != nil {
		return Changes{}, err
	}
	return s.after(ctx, head, since, limit)
}

// All is Changes for programs that may read every room. The error is NotFound if the room is
// deleted.
func (s *Service) All(ctx context.Context, room chat.RoomID, since chat.FeedPosition, limit int) (Changes, error) {
	head, err := s.openHead(ctx, room)
	if err != nil {
		return Changes{}, err
	}
	return s.after(ctx, head, since, limit)
}

// End returns the position at the end of a feed, by 1 read unit. The error is NotFound if the room
// is deleted.
func (s *Service) End(ctx context.Context, room chat.RoomID) (chat.FeedPosition, error) {
	head, err := s.openHead(ctx, room)
	return chat.FeedPosition{Seq: head.Last, Generation: head.Generation}, err
}

// openHead returns the current head of a feed. The error is NotFound if the room is deleted.
func (s *Service) openHead(ctx context.Context, room chat.RoomID) (Head, error) {
	head, err := s.store.CurrentFeedHead(ctx, room)
	if err == nil && head.Closed {
		err = chat.NoSuchRoom()
	}
	head.Room = room
	return head, err
}

// after returns the changes of the feed with a head after a position.
func (s *Service) after(ctx context.Context, head Head, since chat.FeedPosition, limit int) (Changes, error) {
	segments, err := s.store.SegmentsFrom(ctx, head, since.Seq+1, limit)
	if err != nil {
		return Changes{}, err
	}
	if s.mustReset(since, head, segments) {
		return Changes{Head: head.Last, Reset: true}, nil
	}
	c := Changes{Head: head.Last, Since: chat.FeedPosition{Seq: since.Seq, Generation: head.Generation}}
	if since.Seq == head.Last {
		return c, nil
	}
	if c.Entries, err = s.join(ctx, head, segments, entriesAfter(since.Seq, segments, limit)); err != nil {
		return Changes{}, err
	}
	if n := len(c.Entries); n > 0 {
		c.Since.Seq = c.Entries[n-1].Seq
	}
	return c, nil
}

// readableHead returns the head of a feed that the caller may read. It reads the head while it
// authorizes the caller, even a caller who may not know about the room, so that all make the same
// calls.
func (s *Service) readableHead(ctx context.Context, caller chat.UserID, room chat.RoomID) (head Head, err error) {
	var headErr error
	var both sync.WaitGroup
	both.Go(func() { head, headErr = s.store.CurrentFeedHead(ctx, room) })
	_, err = s.rooms.AuthorizeRecent(ctx, caller, room, policy.Read)
	both.Wait()
	if err = cmp.Or(err, headErr); err == nil && head.Closed {
		err = chat.NoSuchRoom()
	}
	return head, err
}

// mustReset reports whether the feed cannot continue from a position. The position is then of
// another generation, beyond the end, or before the oldest remaining change.
func (s *Service) mustReset(since chat.FeedPosition, head Head, segments []Segment) bool {
	switch {
	case head.MustReset(since):
		return true
	case since.Seq == head.Last:
		return false
	case len(segments) == 0 || segments[0].First > since.Seq+1 || segments[0].Last() <= since.Seq:
		return true // the numbers were removed, or are between two generations
	}
	first := segments[0]
	return first.Generation != head.Generation || !first.Expires.IsZero() && !first.Expires.After(s.clock())
}

// entriesAfter returns the changes after a position with their numbers, up to the first gap. A
// client that continues from a gap gets a Reset.
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

// join adds messages and memberships to the entries of segments, which it reads concurrently. The
// page ends early if the messages would exceed MaxPageBytes.
func (s *Service) join(ctx context.Context, head Head, segments []Segment, entries []Entry) (page []Entry, err error) {
	users := changedMembers(entries)
	var members map[chat.UserID]chat.Membership
	both, inner := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		page, err = newMessageJoin(s.store, head, segments, entries).page(inner)
		return err
	})
	if len(users) > 0 {
		both.Go(func() (err error) { members, err = s.store.MembersByUser(inner, head.Room, users); return err })
	}
	if err := both.Wait(); err != nil {
		return nil, err
	}
	for i := range page {
		if m := members[page[i].Change.User].At(s.clock()); m.In() && page[i].Change.Type == MemberChanged {
			page[i].Member = &m
		}
	}
	return page, nil
}

// changedMembers returns the people of a page's member changes, each once.
func changedMembers(entries []Entry) (users []chat.UserID) {
	for _, e := range entries {
		if u := e.Change.User; e.Change.Type == MemberChanged && !slices.Contains(users, u) {
			users = append(users, u)
		}
	}
	return users
}
