package inbox

import (
	"context"
	"errors"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// seen is how far a person has seen a room: the later one of their marker and their joining.
type seen struct {
	seq int64 // all changes up to this one, at least
	// count is the number of messages created up to there. It is exact even where seq is not.
	count int64
}

// seenBy returns how far a person has seen a room. A membership has only a count.
func seenBy(marker ReadMarker, m chat.Membership) seen {
	return seen{seq: marker.Seq, count: max(marker.Count, m.Count)}
}

// unread returns the number of unread messages up to the head of a feed, at most MaxUnread.
// Messages that the person sent, that were deleted, or that come from blocked people do not count.
// Replies that the room does not list do not count either. It reads nothing if no message was
// created since.
//
// Messages in segments that have expired or cannot be read all count.
func (s *Service) unread(ctx context.Context, reader *reader, head feed.Head, seen seen) (int64, error) {
	u := unreadCount{reader: reader, seen: seen.count, left: head.Count, deleted: map[chat.MessageID]bool{}}
	r := feed.SegmentRange{Room: head.Room, First: seen.seq + 1, Last: head.Last, Limit: segmentsAtOnce}
	if u.left-u.seen >= MaxUnread {
		r.Limit = segmentsFirst
	}
	for !u.done() {
		segments, more, err := s.source.SegmentsBack(ctx, r)
		if errors.Is(err, chat.ErrUnreadable) {
			break
		}
		if err != nil {
			return 0, err
		}
		for _, segment := range segments {
			u.add(segment)
			r.Last = segment.First - 1
		}
		switch {
		case more && len(segments) > 0:
			r.Limit = segmentsAtOnce
		case r.First > 1: // the segment that holds the number seen may hold later ones
			r.First, r.Last, r.Limit = 1, r.First-1, 1
		default:
			return u.total(), nil
		}
	}
	return u.total(), nil
}

// unreadCount counts unread messages from the end of a feed to its beginning, so a deletion comes
// before its message.
type unreadCount struct {
	*reader
	seen    int64 // the number of messages that the person has seen
	left    int64 // the number of messages created before the changes counted so far
	n       int64 // the unread messages among these changes
	deleted map[chat.MessageID]bool
	scanned int
}

func (u *unreadCount) done() bool {
	return u.left <= u.seen || u.n >= MaxUnread || u.scanned >= maxScanned
}

// add counts the messages of the segment before those added so far. Segments in between are gone,
// so their messages count as unread.
func (u *unreadCount) add(s feed.Segment) {
	if u.done() {
		return
	}
	total := s.Total()
	u.n += max(0, u.left-max(total, u.seen))
	u.left = total
	u.scanned += len(s.Changes)
	for i := len(s.Changes) - 1; i >= 0 && u.left > u.seen; i-- {
		switch c := s.Changes[i]; {
		case c.Type == feed.MessageDeleted:
			u.deleted[c.Message] = true
		case c.CreatesInRoom():
			u.left--
			if by := c.Message.User; by != u.user && !u.blocked[by] && !u.deleted[c.Message] {
				u.n++
			}
		}
	}
}

// total returns the count. All messages that were not scanned count as unread.
func (u *unreadCount) total() int64 { return min(MaxUnread, u.n+max(0, u.left-u.seen)) }
