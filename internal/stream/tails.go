package stream

import (
	"container/list"
	"sync"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	// tailMemory bounds the bytes of the tails of all rooms in a process. A batch of 16 rooms may
	// exceed it by as much until the rooms are done. Together these are a quarter of the smallest
	// feed function, 256 MB. The rest is for a batch of 6 MB of JSON, its records and its
	// responses.
	tailMemory = 32 << 20
	// maxTails bounds the rooms whose tails stay in memory, however small they are.
	maxTails = 1000
	// identityBytes estimates the memory of an identity and its number in a map that is half full,
	// without texts.
	identityBytes = 240
	// summaryBytes estimates the memory of a segment's summary without its identities.
	summaryBytes = 256
	// tailBytes estimates the memory of a tail without segments.
	tailBytes = 1024
)

// bytesOf estimates the memory of an identity.
func bytesOf(id feed.Change) int {
	return identityBytes + len(id.Message.User) + len(id.User) + len(id.Key) + len(id.Opaque)
}

// tails are the tails of a process within a budget of memory. The least recently used are dropped
// first. A dropped tail is read again when needed. tails is safe for concurrent use.
type tails struct {
	store  Store
	memory int // bytes of all

	mu    sync.Mutex
	rooms map[chat.RoomID]*heldTail
	idle  *list.List // of the *heldTail that nobody uses; the longest idle is first
	bytes int        // of all
}

// heldTail is a tail with its state in tails.
type heldTail struct {
	tail  *tail
	users int
	place *list.Element // in the list of idle ones, or nil
	bytes int           // after its last use
}

// newTails returns an empty collection. memory is in bytes; zero means a default.
func newTails(store Store, memory int) *tails {
	if memory == 0 {
		memory = tailMemory
	}
	return &tails{store: store, memory: memory, rooms: map[chat.RoomID]*heldTail{}, idle: list.New()}
}

// acquire returns the tail of a room, which it locks. The caller must release it.
func (h *tails) acquire(room chat.RoomID) *tail {
	t := h.hold(room)
	t.mu.Lock()
	return t
}

func (h *tails) hold(room chat.RoomID) *tail {
	h.mu.Lock()
	defer h.mu.Unlock()
	held := h.rooms[room]
	if held == nil {
		held = &heldTail{tail: &tail{room: room, store: h.store, maxBytes: h.memory / roomsAtOnce}}
		h.rooms[room] = held
	}
	if held.place != nil {
		h.idle.Remove(held.place)
		held.place = nil
	}
	held.users++
	return held.tail
}

// release unlocks a tail and counts its bytes. It drops idle tails until the others are within the
// budget.
func (h *tails) release(t *tail) {
	bytes := t.bytes()
	t.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	held := h.rooms[t.room]
	h.bytes += bytes - held.bytes
	held.bytes = bytes
	if held.users--; held.users == 0 {
		held.place = h.idle.PushBack(held)
	}
	for h.bytes > h.memory || len(h.rooms) > maxTails {
		longest := h.idle.Front()
		if longest == nil {
			return // all are in use
		}
		dropped := h.idle.Remove(longest).(*heldTail)
		h.bytes -= dropped.bytes
		delete(h.rooms, dropped.tail.room)
	}
}
