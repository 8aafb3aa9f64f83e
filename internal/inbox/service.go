package inbox

import (
	"context"
	"time"

	"parley/internal/chat"
)

// Service lists the rooms of people and maintains their read markers. It is safe for concurrent
// use.
type Service struct {
	store  Store
	rooms  chat.Authorizer
	blocks Blocks
	clock  func() time.Time
}

// Blocks reads whom people have blocked.
type Blocks interface {
	// Blocked returns the people whom a user has blocked.
	Blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error)
}

// NewService returns a service. Nobody is blocked if blocks is nil.
func NewService(store Store, rooms chat.Authorizer, blocks Blocks, clock func() time.Time) *Service {
	return &Service{store: store, rooms: rooms, blocks: blocks, clock: clock}
}

// blocked returns the people whom a user has blocked.
func (s *Service) blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error) {
	if s.blocks == nil {
		return nil, nil
	}
	return s.blocks.Blocked(ctx, user)
}
