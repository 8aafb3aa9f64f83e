package feed

import (
	"context"

	"parley/internal/chat"
	"parley/internal/policy"
)

// Reading is how far somebody has read in a room.
type Reading struct {
	Seq    int64 // all changes up to this one were seen; 0 is none
	Unread int64 // messages that were created since, deleted ones too: their place is still there
}

// MarkRead notes that the caller has seen all changes of a room up to seq. A marker never moves
// back: an older seq answers with the one that stands.
//
// Invalid when the feed does not go as far as seq, NotFound for an unknown or hidden room.
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
		m.Count = head.Count // also where all segments have expired
	case len(segments) > 0:
		m.Count = segments[0].CountAt(seq) // also where seq was removed: as many had been created before what is left
	}
	standing, err := s.store.PutReadMarker(ctx, m)
	return reading(head, standing, a.Membership), err
}

// reading counts the messages that were created since. Whoever comes later has not missed what was
// said before.
func reading(head Head, marker ReadMarker, m chat.Membership) Reading {
	return Reading{Seq: marker.Seq, Unread: max(0, head.Count-max(marker.Count, m.Count))}
}

// readings are the callers' own, in the order of their memberships.
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

// OwnRoom is a room that somebody is in, and how far they have read there.
type OwnRoom struct {
	Membership chat.Membership
	Reading    Reading
}

// RoomsOf lists the caller's own rooms with what is unread in them. Those of others are Forbidden.
func (s *Service) RoomsOf(ctx context.Context, caller, user chat.UserID, page chat.PageRequest) (chat.Page[OwnRoom], error) {
	memberships, err := s.rooms.Memberships(ctx, caller, user, page)
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
