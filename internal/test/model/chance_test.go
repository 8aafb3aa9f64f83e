package model

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/chat"
	"parley/internal/policy"
)

// people and publicRooms have names that sort closely and begin alike, on purpose.
var (
	people      = []chat.UserID{"al", "Al", "al+b", "bob", "eve@x", "zed"}
	publicRooms = []chat.RoomID{"den", "den-1", "den-1-1"}
)

const (
	// privateRooms bounds those that are made: a few full rooms are more to the point.
	privateRooms = 1
	nowhere      = chat.RoomID("nowhere")
)

// oneOf picks one.
func oneOf[T any](w *world, from ...T) T { return from[w.rand.IntN(len(from))] }

// percent is true that often.
func (w *world) percent(n int) bool { return w.rand.IntN(100) < n }

// ids are the rooms there are, in order.
func (w *world) ids() []chat.RoomID {
	var all []chat.RoomID
	for id := range w.model.rooms {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// somewhere is a room, mostly one that exists.
func (w *world) somewhere() chat.RoomID {
	if w.percent(2) || len(w.model.rooms) == 0 {
		return nowhere
	}
	return oneOf(w, w.ids()...)
}

// someone is a person, mostly one who may do an action in a room.
func (w *world) someone(in chat.RoomID, action policy.Action) chat.UserID {
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

// message is one of a room, mostly of the newest; nil when there is none.
func (w *world) message(in chat.RoomID) *message {
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

// body is a text, sometimes a large one, seldom one that nobody may send.
func (w *world) body() string {
	w.texts++
	s := "text " + strconv.Itoa(w.texts)
	switch n := w.rand.IntN(200); {
	case n < 1:
		return ""
	case n < 2:
		return s + "\xff"
	case n < 3:
		return strings.Repeat("x", mostText+1)
	case n < 5:
		return s + strings.Repeat("y", mostText-len(s))
	case n < 7: // each byte is six in JSON
		return s + strings.Repeat("\x01", mostText-len(s))
	case n < 20:
		return s + " \"…\" \n \u2028 𝒳"
	}
	return s
}

// uuid is one that a client makes, of now or of as long ago as an offline queue explains, and
// on both sides of every bound; sometimes none.
func (w *world) uuid() uuid.UUID {
	if w.percent(30) {
		return uuid.UUID{}
	}
	offset := oneOf(w, 0, 0, 0, -time.Second, -time.Millisecond, -time.Hour, -time.Duration(w.rand.Int64N(int64(oldest))))
	if w.percent(15) {
		offset = oneOf(w, ahead, ahead+time.Millisecond, time.Hour, -oldest, -oldest-time.Millisecond, -oldest+time.Millisecond, -90*oldest)
	}
	var tail [10]byte
	for i := range tail {
		tail[i] = byte(w.rand.Uint32())
	}
	return chat.NewUUID(w.model.now().Add(offset), tail)
}

// limit is how much somebody asks for: mostly little, so that there are many pages.
func (w *world) limit() int {
	switch n := w.rand.IntN(100); {
	case n < 2:
		return oneOf(w, 0, -1, mostOnPage+1)
	case n < 10:
		return oneOf(w, mostOnPage, 50)
	case n < 30:
		return 1
	}
	return 2 + w.rand.IntN(8)
}
