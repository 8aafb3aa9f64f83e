// Package tokenbucket limits how fast each person acts through one process.
package tokenbucket

import (
	"math"
	"sync"
	"time"

	"example.com/parley/internal/expiring"
)

// Buckets hold one token bucket for each key, such as a person. A full bucket is removed, because a
// new one starts full as well. So only recently used ones take up memory. Buckets are safe for
// concurrent use.
type Buckets[K comparable] struct {
	rate, burst float64
	clock       func() time.Time
	mu          sync.Mutex
	buckets     *expiring.Map[K, bucket]
}

type bucket struct {
	tokens float64
	at     time.Time
}

// New returns buckets that gain rate tokens a second and hold at most burst of them.
func New[K comparable](rate, burst int, clock func() time.Time) *Buckets[K] {
	return &Buckets[K]{rate: float64(rate), burst: float64(burst), clock: clock, buckets: expiring.New[K, bucket]()}
}

// Take removes tokens from the bucket of key if it holds at least one, and returns 0. Otherwise it
// returns how long to wait. The balance may become negative: a request that costs more than the
// bucket holds is allowed, and the next one waits longer.
func (b *Buckets[K]) Take(key K, tokens int) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock()
	p, known := b.buckets.Get(key)
	if !known {
		p = bucket{tokens: b.burst, at: now}
	}
	p = b.refilled(p, now)
	if p.tokens < 1 {
		wait = time.Duration(math.Ceil((1 - p.tokens) / b.rate * float64(time.Second)))
	} else {
		p.tokens -= float64(tokens)
	}
	b.buckets.Put(key, p, func(p bucket) bool { return b.refilled(p, now).tokens >= b.burst })
	return wait
}

// refilled returns p with the tokens that it gained by now. After the clock was set back it
// continues from there, so that nobody waits until the clock is where it was.
func (b *Buckets[K]) refilled(p bucket, now time.Time) bucket {
	if elapsed := now.Sub(p.at); elapsed > 0 {
		p.tokens = min(b.burst, p.tokens+elapsed.Seconds()*b.rate)
	}
	p.at = now
	return p
}
