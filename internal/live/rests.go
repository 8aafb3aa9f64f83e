package live

import (
	"sync"
	"time"
)

const (
	// firstRest and longestRest are how long a connection receives nothing after it has accepted no
	// frame. The time doubles, so a hung connection delays hardly one batch in a hundred.
	firstRest   = 2 * time.Second
	longestRest = time.Minute
	// maxRemembered bounds the connections that a process remembers.
	maxRemembered = 10_000
)

// Rests are the connections to which nothing is sent for a while, because their clients accept
// nothing. It is safe for concurrent use.
type Rests struct {
	clock func() time.Time

	mu  sync.Mutex
	all map[ConnectionID]rest
}

// rest is the rest of one connection.
type rest struct {
	until  time.Time
	length time.Duration
}

// NewRests returns Rests without any connection.
func NewRests(clock func() time.Time) *Rests {
	return &Rests{clock: clock, all: map[ConnectionID]rest{}}
}

// Begin lets a connection rest: for twice as long as the last time, if nothing was sent since.
func (r *Rests) Begin(id ConnectionID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if len(r.all) >= maxRemembered {
		for id, old := range r.all {
			if now.Sub(old.until) > longestRest {
				delete(r.all, id)
			}
		}
	}
	length := min(longestRest, max(firstRest, 2*r.all[id].length))
	r.all[id] = rest{until: now.Add(length), length: length}
}

// End forgets the rests of a connection, because it has accepted a frame.
func (r *Rests) End(id ConnectionID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, id)
}

// Resting reports whether a connection rests. More than the length of its rest can remain only
// after the clock was set back.
func (r *Rests) Resting(id ConnectionID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := r.all[id]
	left := is.until.Sub(r.clock())
	return left > 0 && left <= is.length
}

// until returns the end of a connection's last rest, and false if it has accepted frames since.
func (r *Rests) until(id ConnectionID) (end time.Time, any bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is, any := r.all[id]
	return is.until, any
}
