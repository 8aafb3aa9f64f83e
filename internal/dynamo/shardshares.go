package dynamo

import (
	"sync"

	"example.com/parley/internal/chat"
)

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
