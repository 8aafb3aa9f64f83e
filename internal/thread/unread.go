package thread

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// count counts the unread replies to some roots of one room.
type count struct {
	head    int64
	seen    map[chat.MessageID]int64 // the markers, by root
	user    chat.UserID
	blocked map[chat.UserID]bool

	first   int64 // the lowest number after a marker
	n       map[chat.MessageID]int64
	deleted map[chat.MessageID]bool
	scanned int
}

// newCount returns a count up to the head of a room's feed, for threads of that room.
func newCount(head int64, follows ...Follow) *count {
	c := &count{
		head: head, seen: map[chat.MessageID]int64{}, n: map[chat.MessageID]int64{}, deleted: map[chat.MessageID]bool{},
	}
	c.first = head + 1
	for _, f := range follows {
		c.seen[f.Root.ID] = f.Seq
		c.first = min(c.first, f.Seq+1)
	}
	return c
}

// unread returns the number of unread replies by thread, at most MaxUnread each. Replies that the
// person sent, that were deleted or imported, or that come from blocked people do not count. It
// reads nothing of a room without changes after a marker. Replies whose segments have expired
// count as read.
func (s *Service) unread(ctx context.Context, user chat.UserID, rooms map[chat.RoomID]*count) (map[Root]int64, error) {
	var blocked map[chat.UserID]bool
	for _, c := range rooms {
		if c.first > c.head || blocked != nil {
			continue
		}
		var err error
		if blocked, err = s.blocks.Blocked(ctx, user); err != nil {
			return nil, err
		}
	}
	scans, inner := errgroup.WithContext(ctx)
	scans.SetLimit(readsAtOnce)
	for room, c := range rooms {
		c.user, c.blocked = user, blocked
		scans.Go(func() error { return s.scan(inner, room, c) })
	}
	if err := scans.Wait(); err != nil {
		return nil, err
	}
	unread := map[Root]int64{}
	for room, c := range rooms {
		for root, n := range c.n {
			unread[Root{room, root}] = min(n, MaxUnread)
		}
	}
	return unread, nil
}

// scan reads the segments after the markers of a room, from the newest to the oldest.
func (s *Service) scan(ctx context.Context, room chat.RoomID, c *count) error {
	r := feed.SegmentRange{Room: room, First: c.first, Last: c.head, Limit: segmentsAtOnce}
	for r.First <= r.Last && c.scanned < maxScanned {
		segments, more, err := s.source.SegmentsBack(ctx, r)
		if errors.Is(err, chat.ErrUnreadable) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, segment := range segments {
			c.add(segment)
			r.Last = segment.First - 1
		}
		switch {
		case r.Last < c.first:
			return nil
		case more && len(segments) > 0:
		case r.First > 1: // the segment that holds the number seen may hold later ones
			r.First, r.Last, r.Limit = 1, r.First-1, 1
		default:
			return nil
		}
	}
	return nil
}

// add counts the replies of the segment before those added so far, so a deletion comes before its
// reply.
func (c *count) add(s feed.Segment) {
	c.scanned += len(s.Changes)
	for i := len(s.Changes) - 1; i >= 0; i-- {
		change := s.Changes[i]
		if change.Type == feed.MessageDeleted {
			c.deleted[change.Message] = true
		}
		seen, ok := c.seen[change.Thread]
		by := change.Message.User
		if change.Type != feed.ReplyCreated || !ok || s.First+int64(i) <= seen || by == c.user || c.blocked[by] ||
			c.deleted[change.Message] || imported(change.Message, s) {
			continue
		}
		c.n[change.Thread]++
	}
}

// imported reports whether a reply of a segment was imported: it is older than a posted message
// may be.
func imported(reply chat.MessageID, s feed.Segment) bool {
	return reply.SentAt().Before(s.CreatedFrom.Add(-chat.MaxAge - clockSkew))
}
