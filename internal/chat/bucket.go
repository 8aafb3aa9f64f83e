package chat

import (
	"math"
	"sync"
	"time"

	"parley/internal/expiring"
)

// buckets limit how fast each person sends through one process, with one token bucket per person. A
// full bucket is removed, because a new one starts full as well. So only people who sent recently
// take up memory.
type buckets struct {
	rate, burst float64
	clock       func() time.Time
	mu          sync.Mutex
	people      *expiring.Map[UserID, bucket]
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newBuckets(rate, burst int, clock func() time.Time) *buckets {
	return &buckets{rate: float64(rate), burst: float64(burst), clock: clock, people: expiring.New[UserID, bucket]()}
}

// take removes tokens from a person's bucket if it holds at least one, and returns 0. Otherwise it
// returns how long to wait. The balance may become negative: a request that costs more than the
// bucket holds is allowed, and the next one waits longer.
func (b *buckets) take(user UserID, tokens int) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock()
	p, known := b.people.Get(user)
	if !known {
		p = bucket{tokens: b.burst, at: now}
	}
	p = b.refilled(p, now)
	if p.tokens < 1 {
		wait = time.Duration(math.Ceil((1 - p.tokens) / b.rate * float64(time.Second)))
	} else {
		p.tokens -= float64(tokens)
	}
	b.people.Put(user, p, func(p bucket) bool { return b.refilled(p, now).tokens >= b.burst })
	return wait
}

// refilled returns p with the tokens that it gained by now.
func (b *buckets) refilled(p bucket, now time.Time) bucket {
	if elapsed := now.Sub(p.at); elapsed > 0 {
		p.tokens = min(b.burst, p.tokens+elapsed.Seconds()*b.rate)
		p.at = now
	}
	return p
}
