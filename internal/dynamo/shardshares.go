package dynamo

import (
	"sync"

	"parley/internal/chat"
)

// sharesWeight is the weight of a new page in the shares of a room.
const sharesWeight = 1.0 / 8

// shardShares remembers which part of a room's pages came from each shard. People do not talk
// alike, so a shard with somebody who talks much is asked for more from the start. This is a hint
// that saves rounds; no answer depends on it.
type shardShares struct {
	mu    sync.Mutex
	rooms map[chat.RoomID][]float64
}

// of returns the share of each shard of a room, or the given ones if the room is not known with as
// many shards.
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

// learn takes a page into account: taken is the number of its messages from each shard.
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
