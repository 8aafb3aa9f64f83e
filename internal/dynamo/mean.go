package dynamo

import (
	"sync"

	"example.com/parley/internal/chat"
)

const (
	// unknownItemBytes is the assumed size of a message item in an unknown room. An item of that
	// size costs as much as any shorter one, so a shard is asked for no more items than are likely
	// to be needed. They may have 32 KB each.
	unknownItemBytes = 4096
	// itemBytesWeight is the inverse of a new item's weight in the mean.
	itemBytesWeight = 64
)

// meanSize is the running mean size of a room's message items. Reads derive from it how many items
// a read unit holds. It is stored itemBytesWeight times as large: a mean in whole bytes would not
// follow smaller differences.
type meanSize int

func (m meanSize) bytes() int { return int(m / itemBytesWeight) }

// with returns the mean with another item.
func (m meanSize) with(size int) meanSize { return m + meanSize(size) - m/itemBytesWeight }

// itemSizes remembers the mean size of the message items of each room, or of the messages in a
// page. It is a hint that saves read units and rounds; no result depends on it.
type itemSizes struct {
	mu    sync.Mutex
	rooms map[chat.RoomID]meanSize
}

// of returns the mean size of a room's items in bytes, or unknown.
func (s *itemSizes) of(room chat.RoomID, unknown int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.rooms[room]; ok {
		return m.bytes()
	}
	return unknown
}

// learn adds the size of an item to its room's mean.
func (s *itemSizes) learn(room chat.RoomID, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.rooms[room]
	if !ok {
		if len(s.rooms) >= chat.RoomCacheSize {
			clear(s.rooms)
		}
		m = meanSize(size * itemBytesWeight)
	}
	s.rooms[room] = m.with(size)
}

// sharesWeight is the weight of a new page in the shares of a room.
const sharesWeight = 1.0 / 8

// shardShares remembers what share of a room's pages came from each shard. Some people write more
// than others, so a shard with an active person is asked for more from the start. This hint saves
// rounds; no result depends on it.
type shardShares struct {
	mu    sync.Mutex
	rooms map[chat.RoomID][]float64
}

// of returns the share of each shard of a room, or the given shares if they are not known for this
// number of shards.
func (s *shardShares) of(room chat.RoomID, otherwise []float64) []float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.rooms[room]; len(known) == len(otherwise) {
		return known // never modified, only replaced
	}
	return otherwise
}

func equalShares(n int) []float64 {
	equal := make([]float64, n)
	for i := range equal {
		equal[i] = 1 / float64(n)
	}
	return equal
}

// learn updates the shares with a page; taken is the number of its messages from each shard.
func (s *shardShares) learn(room chat.RoomID, before []float64, taken []int) {
	total := 0
	for _, n := range taken {
		total += n
	}
	if total == 0 || len(taken) == 1 {
		return
	}
	after := make([]float64, len(before))
	for i, share := range before {
		after[i] = share + (float64(taken[i])/float64(total)-share)*sharesWeight
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rooms) >= chat.RoomCacheSize {
		clear(s.rooms)
	}
	s.rooms[room] = after
}
