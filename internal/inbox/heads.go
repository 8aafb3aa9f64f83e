package inbox

import (
	"context"

	"example.com/parley/internal/chat"
)

// RoomHead is how far a room of a person's list is, and how far they have read.
type RoomHead struct {
	Room chat.RoomID
	Last int64 // the number of the newest change; 0 before the first one
	Read int64 // the person has seen all changes up to this one; 0 means none
	// Messages is the number of messages created after that, and after the person joined, at
	// most MaxUnread. Unlike Reading.Unread, it includes deleted messages and messages by the
	// person and by blocked people, which only the room's segments distinguish.
	Messages    int64
	Preferences Preferences
}

// RoomHeads returns the heads of all rooms of the list that RoomsOf returns, in its order; see
// Heads. It consumes half a read unit for each room, and one for every 8 KB of memberships and
// markers, which have some 300 bytes a room.
func (s *Service) RoomHeads(ctx context.Context, user chat.UserID) ([]RoomHead, error) {
	all, _, err := s.ownRooms(ctx, user, nil)
	return s.headsOf(all), err
}

func (s *Service) headsOf(all []ownRoom) []RoomHead {
	now := s.clock()
	heads := make([]RoomHead, len(all))
	for i, r := range all {
		heads[i] = RoomHead{
			Room: r.membership.Room, Last: r.head.Last, Read: r.marker.Seq,
			Messages:    min(max(0, r.head.Count-seenBy(r.marker, r.membership).count), MaxUnread),
			Preferences: r.marker.Preferences.at(now),
		}
	}
	return heads
}
