package model

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// people and publicRooms have names that share prefixes and sort close together.
var (
	people      = []chat.UserID{"al", "Al", "al+b", "bob", "eve@x", "zed"}
	publicRooms = []chat.RoomID{"den", "den-1", "den-1-1"}
)

const (
	// maxPrivateRooms bounds the private rooms, so that the few rooms of a run fill up.
	maxPrivateRooms = 1
	missingRoom     = chat.RoomID("nowhere")
)

// oneOf returns a random element of from.
func oneOf[T any](w *world, from ...T) T { return from[w.rand.IntN(len(from))] }

// percent returns true with a probability of n percent.
func (w *world) percent(n int) bool { return w.rand.IntN(100) < n }

// roomIDs returns the ids of all rooms, sorted.
func (w *world) roomIDs() []chat.RoomID {
	var all []chat.RoomID
	for id := range w.model.rooms {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// randomRoom returns a room, usually one that exists.
func (w *world) randomRoom() chat.RoomID {
	if w.percent(3) && len(w.model.deleted) > 0 {
		return oneOf(w, slices.Sorted(maps.Keys(w.model.deleted))...)
	}
	if w.percent(2) || len(w.model.rooms) == 0 {
		return missingRoom
	}
	return oneOf(w, w.roomIDs()...)
}

// randomUser returns a user, usually one who may perform the action in the room.
func (w *world) randomUser(in chat.RoomID, action policy.Action) chat.UserID {
	r := w.model.rooms[in]
	if r == nil || w.percent(15) {
		return oneOf(w, people...)
	}
	able := slices.DeleteFunc(slices.Clone(people), func(u chat.UserID) bool {
		return policy.Decide(r.role(u), r.rules(), action) != policy.Allow
	})
	if len(able) == 0 {
		return oneOf(w, people...)
	}
	return oneOf(w, able...)
}

// randomMessage returns a message of a room, usually one of the newest. It returns nil if the room
// has none.
func (w *world) randomMessage(in chat.RoomID) *message {
	r := w.model.rooms[in]
	if r == nil || len(r.messages) == 0 {
		return nil
	}
	n := len(r.messages)
	if w.percent(60) {
		return r.messages[n-1-w.rand.IntN(min(n, 8))]
	}
	return r.messages[w.rand.IntN(n)]
}

// randomText returns a text. Some texts are large and a few are invalid.
func (w *world) randomText() string {
	w.texts++
	s := "text " + strconv.Itoa(w.texts)
	switch n := w.rand.IntN(200); {
	case n < 1:
		return ""
	case n < 2:
		return s + "\xff"
	case n < 3:
		return strings.Repeat("x", maxText+1)
	case n < 5:
		return s + strings.Repeat("y", maxText-len(s))
	case n < 7: // each byte is six in JSON
		return s + strings.Repeat("\x01", maxText-len(s))
	case n < 20:
		return s + " \"…\" \n \u2028 𝒳"
	}
	return s
}

// randomUUID returns a UUID as clients create them. Its time is the current one, one within the
// permitted delay of an offline queue, or one close to either bound. Some are zero.
func (w *world) randomUUID() uuid.UUID {
	if w.percent(30) {
		return uuid.UUID{}
	}
	offset := oneOf(w, 0, 0, 0, -time.Second, -time.Millisecond, -time.Hour, -time.Duration(w.rand.Int64N(int64(maxSendDelay))))
	if w.percent(15) {
		offset = oneOf(w, maxClockAhead, maxClockAhead+time.Millisecond, time.Hour, -maxSendDelay, -maxSendDelay-time.Millisecond, -maxSendDelay+time.Millisecond, -90*maxSendDelay)
	}
	var tail [10]byte
	for i := range tail {
		tail[i] = byte(w.rand.Uint32())
	}
	return chat.NewUUID(w.model.now().Add(offset), tail)
}

// randomLimit returns a page limit. It is usually small, so that lists have many pages.
func (w *world) randomLimit() int {
	switch n := w.rand.IntN(100); {
	case n < 2:
		return oneOf(w, 0, -1, maxPage+1)
	case n < 10:
		return oneOf(w, maxPage, 50)
	case n < 30:
		return 1
	}
	return 2 + w.rand.IntN(8)
}
