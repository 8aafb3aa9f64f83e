package app

import (
	"context"

	"example.com/parley/internal/chat"
)

// Deletions reads who has deleted rooms.
type Deletions interface {
	// RoomDeletedBy returns the user who deleted a room. deleted is false for a room that exists
	// or never existed.
	RoomDeletedBy(ctx context.Context, room chat.RoomID) (user chat.UserID, deleted bool, err error)
}

// DeleteRoom is as for chat.Service. It ends all live subscriptions to the room before it returns,
// even if a retry finds that the caller has already deleted the room.
func (s *Services) DeleteRoom(ctx context.Context, caller chat.UserID, room chat.RoomID, p *chat.Precondition) error {
	refused := s.Service.DeleteRoom(ctx, caller, room, p)
	if refused == nil {
		return s.Live.RemoveRoom(ctx, room)
	}
	if chat.KindOf(refused) != chat.NotFound {
		return refused
	}
	err := s.Live.RemoveRoomIf(ctx, room, func(ctx context.Context) (bool, error) {
		by, deleted, err := s.deletions.RoomDeletedBy(ctx, room)
		return deleted && by == caller, err
	})
	if err != nil {
		return err
	}
	return refused
}
