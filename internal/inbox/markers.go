package inbox

import (
	"context"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// ReadMarker is how far a person has read in a room, as stored.
type ReadMarker struct {
	Room chat.RoomID
	User chat.UserID
	Seq  int64 // the person has seen all changes up to this one
	// Count is the number of messages created in the room up to Seq.
	Count int64
}

// Reading is how far a person has read in a room, and how much is unread.
type Reading struct {
	Seq    int64 // the person has seen all changes up to this one; 0 means none
	Unread int64 // messages created after Seq, at most MaxUnread; see Service.RoomsOf
}

// MarkRead records that the caller has seen all changes of a room up to seq. A marker never moves
// back: for a lower seq the answer is the current marker.
//
// The error is Invalid if seq is negative or beyond the head, and otherwise as for the method
// Authorize of chat.Authorizer.
func (s *Service) MarkRead(ctx context.Context, caller chat.UserID, room chat.RoomID, seq int64) (Reading, error) {
	if seq < 0 || seq > chat.MaxSeq {
		return Reading{}, chat.Invalidf("seq", "must be 0 to %d", int64(chat.MaxSeq))
	}
	a, err := s.rooms.Authorize(ctx, caller, room, policy.Read)
	if err != nil {
		return Reading{}, err
	}
	head, segments, err := s.store.FeedFrom(ctx, room, seq, 1)
	if err != nil {
		return Reading{}, err
	}
	m := ReadMarker{Room: room, User: caller, Seq: seq}
	switch {
	case seq > head.Last:
		return Reading{}, chat.Invalidf("seq", "must be at most the head of the room's changes")
	case seq == head.Last:
		m.Count = head.Count // correct even if all segments have expired
	case len(segments) > 0:
		// If the segment of seq was removed, this is the count before the first segment left.
		m.Count = segments[0].CountAt(seq)
	}
	stored, err := s.store.PutReadMarker(ctx, m)
	if err != nil {
		return Reading{}, err
	}
	return s.reading(ctx, head, stored, a.Membership)
}

// reading returns how far a person has read, by their marker in a feed.
func (s *Service) reading(ctx context.Context, head feed.Head, marker ReadMarker, m chat.Membership) (Reading, error) {
	seen := seenBy(marker, m)
	if head.Count <= seen.count {
		return Reading{Seq: marker.Seq}, nil
	}
	by := &reader{user: marker.User}
	var err error
	if by.blocked, err = s.blocked(ctx, marker.User); err != nil {
		return Reading{}, err
	}
	unread, err := s.unread(ctx, by, head, seen)
	return Reading{Seq: marker.Seq, Unread: unread}, err
}
