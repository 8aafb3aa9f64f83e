package socketapi

import (
	"sync"
	"time"

	"example.com/parley/internal/expiring"
	"example.com/parley/internal/live"
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
