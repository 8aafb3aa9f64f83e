package chat

import (
	"context"
	"sync"
	"time"

	"parley/internal/expiring"
)

// roomCache caches public rooms for RoomCacheAge. It does not cache that a room is missing, because
// the room may be created at any moment. Rooms with ids of the private form are always read, so
// that the number of reads does not reveal members.
type roomCache struct {
	clock func() time.Time
	mu    sync.Mutex
	rooms *expiring.Map[RoomID, cachedRoom]
}

type cachedRoom struct {
	room Room
	asOf time.Time // before the read was sent
}

func (r cachedRoom) expired(now time.Time) bool { return now.Sub(r.asOf) >= RoomCacheAge }

func newRoomCache(clock func() time.Time) *roomCache {
	return &roomCache{clock: clock, rooms: expiring.New[RoomID, cachedRoom]()}
}

// recentRoom returns a room, at most RoomCacheAge old, or NotFound.
func (s *Service) recentRoom(ctx context.Context, id RoomID) (Room, error) {
	if c, ok := s.rooms.get(id); ok {
		return c.room, nil
	}
	return s.freshRoom(ctx, id)
}

// freshRoom returns the current state of a room, or NotFound.
func (s *Service) freshRoom(ctx context.Context, id RoomID) (Room, error) {
	asOf := s.clock()
	room, err := s.store.Room(ctx, id)
	if err == nil && !id.Private() {
		s.rooms.put(id, cachedRoom{room: room, asOf: asOf})
	}
	return room, err
}

func (c *roomCache) get(id RoomID) (cachedRoom, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.rooms.Get(id)
	return r, ok && !r.expired(c.clock())
}

func (c *roomCache) put(id RoomID, r cachedRoom) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock()
	c.rooms.Put(id, r, func(r cachedRoom) bool { return r.expired(now) })
}

func (c *roomCache) delete(id RoomID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rooms.Delete(id)
}
