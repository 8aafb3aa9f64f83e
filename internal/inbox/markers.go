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
	Unread int64 // messages created after Seq, including deleted ones, whose tombstones remain
}

// MarkRead records that the caller has seen all changes of a room up to seq. A marker never moves
// back: for a lower seq the answer is the current marker.
//
// The error is Invalid if seq is negative or beyond the head, and otherwise as for the method
// Authorize of Rooms.
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
	return reading(head, stored, a.Membership), err
}

// reading returns how far a marker is in a feed. Messages from before the person joined do not
// count as unread.
func reading(head feed.Head, marker ReadMarker, m chat.Membership) Reading {
	return Reading{Seq: marker.Seq, Unread: max(0, head.Count-max(marker.Count, m.Count))}
}

// readings returns the user's reading of each membership's room, in the order of the memberships.
func (s *Service) readings(ctx context.Context, user chat.UserID, memberships []chat.Membership) ([]Reading, error) {
	if len(memberships) == 0 {
		return nil, nil
	}
	rooms := make([]chat.RoomID, len(memberships))
	for i, m := range memberships {
		rooms[i] = m.Room
	}
	heads, markers, err := s.store.Readings(ctx, user, rooms)
	if err != nil {
		return nil, err
	}
	readings := make([]Reading, len(memberships))
	for i, m := range memberships {
		readings[i] = reading(heads[m.Room], markers[m.Room], m)
	}
	return readings, nil
}

// OwnRoom is a person's membership in a room, with their reading there.
type OwnRoom struct {
	Membership chat.Membership
	Reading    Reading
}

// RoomsOf lists the caller's own rooms, each with its reading. Another user's are Forbidden.
func (s *Service) RoomsOf(ctx context.Context, caller, user chat.UserID, page chat.PageRequest) (chat.Page[OwnRoom], error) {
	memberships, err := s.members.Memberships(ctx, caller, user, page)
	if err != nil {
		return chat.Page[OwnRoom]{}, err
	}
	readings, err := s.readings(ctx, user, memberships.Items)
	if err != nil {
		return chat.Page[OwnRoom]{}, err
	}
	rooms := make([]OwnRoom, len(memberships.Items))
	for i, m := range memberships.Items {
		rooms[i] = OwnRoom{Membership: m, Reading: readings[i]}
	}
	return chat.Page[OwnRoom]{Items: rooms, Next: memberships.Next}, nil
}
