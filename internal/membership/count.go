package membership

import (
	"context"

	"example.com/parley/internal/chat"
)

// Count returns the number of members of a room, at most MaxCount, at most CountAge old. Up to
// MaxExact, it is current. The caller must have authorized the reader. It consumes half a read
// unit for every 4 KB of memberships, and nothing if the number is in the cache.
func (s *Service) Count(ctx context.Context, room chat.RoomID) (int, error) {
	if n, ok := s.cached.Get(room); ok {
		return n, nil
	}
	asOf := s.clock()
	n, err := s.countTo(ctx, room, MaxCount)
	if err == nil && n > MaxExact {
		s.cached.Put(room, n, asOf)
	}
	return n, err
}

// countTo counts the members of a room up to a limit.
func (s *Service) countTo(ctx context.Context, room chat.RoomID, limit int) (int, error) {
	members, _, err := s.effective(chat.ListPosition{}, limit, chat.Membership.In, func(
		after chat.ListPosition, limit int,
	) ([]chat.Membership, chat.ListPosition, error) {
		return s.store.Members(ctx, room, after, limit)
	})
	return len(members), err
}
