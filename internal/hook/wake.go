package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// Wake is a message of the queue of deliveries: rooms have news for a hook with an address. Without
// rooms it means that the hook's rows are to be delivered.
type Wake struct {
	Holder  Holder     `json:"holder"`
	Hook    ID         `json:"hook"`
	Created int64      `json:"created"` // the hook's CreatedAt in milliseconds, so that its successor is another
	Rooms   []RoomNews `json:"rooms,omitempty"`
	// Once tells requests without rooms apart.
	Once int64 `json:"once,omitzero"`
}

// RoomNews are the news of a room.
type RoomNews struct {
	Room       chat.RoomID `json:"room"`
	Seq        int64       `json:"seq"`   // the first number of its newest segment, or chat.MaxSeq
	Before     int64       `json:"first"` // the position before its first segment
	Generation string      `json:"gen"`
}

// Queue passes wake-ups to deliveries, in their order for each Group.
type Queue interface {
	// Send returns when the wake-ups can no longer be lost.
	Send(ctx context.Context, wakes []Wake) error
}

// Group identifies the hook of w. One delivery to a hook is under way at a time.
func (w Wake) Group() string {
	return hash(string(w.Holder), string(w.Hook), strconv.FormatInt(w.Created, 10))
}

// Key identifies w among repetitions.
func (w Wake) Key() string {
	text, _ := json.Marshal(w) // of texts and numbers
	return hash(string(text))
}

func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "#")))
	return hex.EncodeToString(sum[:16])
}

// wake returns the wake-up of a hook for rooms.
func (h Hook) wake(rooms ...RoomNews) Wake {
	return Wake{Holder: h.Holder, Hook: h.ID, Created: h.CreatedAt.UnixMilli(), Rooms: rooms}
}

// Keep notes the news of a wake-up in the rows of its hook, for a queue that may forget it: 1 write
// unit for each room.
func Keep(ctx context.Context, t *dynamo.Table, w Wake, now time.Time) error {
	h := Hook{ID: w.Hook, Holder: w.Holder, CreatedAt: time.UnixMilli(w.Created)}
	return each(ctx, w.Rooms, func(ctx context.Context, n RoomNews) error { return noteNews(ctx, t, h, n, now) })
}

// timerPrefix begins the names of hooks' timers.
const timerPrefix = "hook#"

// timerName returns the name of a hook's timers.
func (h Hook) timerName() string { return h.rowsPK() }

// wakeOf returns the wake-up of a hook's timer.
func wakeOf(name string, at time.Time) (w Wake, ok bool) {
	f := strings.Split(name, "#")
	if len(f) != 4 || f[0]+"#" != timerPrefix {
		return Wake{}, false
	}
	created, err := strconv.ParseInt(f[3], 10, 64)
	return Wake{Holder: Holder(f[1]), Hook: ID(f[2]), Created: created, Once: at.UnixMilli()}, err == nil
}
