package socketapi

import (
	"sync"
	"time"

	"example.com/parley/internal/expiring"
	"example.com/parley/internal/live"
)

const (
	// MaxHello bounds a hello, and so every message. It is the largest frame that API Gateway
	// accepts.
	MaxHello = 32 << 10
	// MaxMessage bounds every other message except a renewal, whose token has its own limit.
	// Twenty rooms with their positions fit in it.
	MaxMessage = 4 << 10
	// MaxID bounds the id of a request, in bytes. A UUID has 36.
	MaxID = 64
	// DefaultRooms is the number of rooms to which a hello without rooms subscribes: as many as the
	// first page of a list shows.
	DefaultRooms = 30

	// MessageRate bounds a connection's messages per second through one process. A client opens
	// rooms and types; nobody does so faster.
	MessageRate = 2
	// MessageBurst is how many messages may arrive in a burst, such as when a page is restored.
	MessageBurst = 20
	// MaxRefusals is the number of refused messages after which a connection is closed. A client
	// that respects the first refusals never reaches it.
	MaxRefusals = 50

	// roomUnits is the price of a room in a request, taken from the person's budget for all
	// connections. It covers three write units including its end, three read units, and announcing
	// the person to others. A person may connect with 100 rooms six times in a row.
	roomUnits = 8
	// syncedRoomUnits is the price of a room that a sync names, for one read unit. Twenty cost as
	// much as a sync of all rooms.
	syncedRoomUnits = 2
	// MaxSyncedRooms bounds the rooms that a sync names. A page shows few rooms.
	MaxSyncedRooms = 20
	// requestUnits is the price of every other request: a sync reads the positions of all rooms,
	// and typing is sent to up to live.MaxAudience connections, after reading their people's
	// blocks.
	requestUnits = 40

	// RequestTimeout is shorter than the 29 s of API Gateway, and long enough for all attempts of a
	// call to the store.
	RequestTimeout = 15 * time.Second
	// announceTime bounds the reads and posts of typing and presence in one request. They have no
	// value later, and the client waits for its ack.
	announceTime = 200 * time.Millisecond
	// typingLife is how long a typing frame shows. The next frame may follow after
	// live.TypingInterval.
	typingLife = 10 * time.Second
	// closeTime bounds the last frames of a connection, live.CloseDelay and its end.
	closeTime = 3 * time.Second
	// atOnce bounds the audiences that one request reads concurrently, and its posts. Thirty rooms
	// need one round, and the store's client keeps connections for them.
	atOnce = 32
)

// refusals counts the refused messages of connections through this process. A count ends with its
// connection.
type refusals struct {
	mu     sync.Mutex
	counts *expiring.Map[live.ConnectionID, refusalCount]
}

type refusalCount struct {
	n     int
	until time.Time
}

func newRefusals() *refusals {
	return &refusals{counts: expiring.New[live.ConnectionID, refusalCount]()}
}

// add counts a refusal and returns the connection's total.
func (r *refusals) add(c live.Connection, now time.Time) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	count, _ := r.counts.Get(c.ID)
	count.n, count.until = count.n+1, c.Until
	r.counts.Put(c.ID, count, func(v refusalCount) bool { return now.After(v.until) })
	return count.n
}

// forget removes the count of a connection.
func (r *refusals) forget(id live.ConnectionID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.Delete(id)
}
