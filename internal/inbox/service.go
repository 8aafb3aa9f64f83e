package inbox

import (
	"context"

	"parley/internal/chat"
)

// Service lists the rooms of people and maintains their read markers. It is safe for concurrent
// use.
type Service struct {
	store Store
	rooms Rooms
}

// Rooms is the part of the room's services that a Service needs.
type Rooms interface {
	chat.Authorizer
	// Memberships lists the caller's memberships by room.
	Memberships(ctx context.Context, caller, user chat.UserID, page chat.PageRequest) (chat.Page[chat.Membership], error)
}

// NewService returns a service.
func NewService(store Store, rooms Rooms) *Service { return &Service{store: store, rooms: rooms} }
