package inbox

import (
	"context"

	"parley/internal/chat"
)

// Service lists the rooms of people and maintains their read markers. It is safe for concurrent
// use.
type Service struct {
	store   Store
	rooms   chat.Authorizer
	members Memberships
}

// Memberships lists memberships.
type Memberships interface {
	// Memberships lists the caller's memberships by room.
	Memberships(ctx context.Context, caller, user chat.UserID, page chat.PageRequest) (chat.Page[chat.Membership], error)
}

// NewService returns a service.
func NewService(store Store, rooms chat.Authorizer, members Memberships) *Service {
	return &Service{store: store, rooms: rooms, members: members}
}
