package membership

import (
	"context"
	"sync"
	"time"

	"parley/internal/chat"
	"parley/internal/expiring"
)

// memberCounts are the numbers of members of rooms in the cache.
type memberCounts struct {
	mu     sync.Mutex
	counts *expiring.Map[chat.RoomID, memberCount]
}

// memberCount is the number of a room's members.
type memberCount struct {
	n    int
	asOf time.Time // before the read was sent
}

func newMemberCounts() *memberCounts {
	return &memberCounts{counts: expiring.New[chat.RoomID, memberCount]()}
}

// Count returns the number of members of a room, at most MaxCount, as of CountAge ago or later. The
// caller must have authorized the reader. It consumes half a read unit for every 4 KB of
// memberships, and nothing if the number is in the cache.
func (s *Service) Count(ctx context.Context, room chat.RoomID) (int, error) {
	now := s.clock()
	if c, ok := s.cached.get(room); ok && now.Sub(c.asOf) < CountAge {
		return c.n, nil
	}
	n, err := s.countTo(ctx, room, MaxCount)
	if err != nil {
		return 0, err
	}
	s.cached.put(room, memberCount{n, now})
	return n, nil
}

// countTo counts the members of a room up to a limit.
func (s *Service) countTo(ctx context.Context, room chat.RoomID, limit int) (int, error) {
	members, _, err := s.effective(chat.ListPosition{}, limit, chat.Membership.In, func(after chat.ListPosition, limit int) ([]chat.Membership, chat.ListPosition, error) {
		return s.store.Members(ctx, room, after, limit)
	})
	return len(members), err
}

func (c *memberCounts) get(room chat.RoomID) (memberCount, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts.Get(room)
}

func (c *memberCounts) put(room chat.RoomID, n memberCount) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Put(room, n, func(old memberCount) bool { return n.asOf.Sub(old.asOf) >= CountAge })
}

// forget removes the number of a room whose members this process has changed.
func (c *memberCounts) forget(room chat.RoomID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts.Delete(room)
}
