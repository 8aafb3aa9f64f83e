package chat

import (
	"math"
	"sync"
	"time"
)

// buckets bound how fast each person sends through one process: a token
// bucket a person. A bucket that has filled again is forgotten, which is as if it was
// there; so what is remembered are the people who have sent within the time a bucket takes to fill.
type buckets struct {
	rate, burst float64
	clock       func() time.Time
	mu          sync.Mutex
	people      *expiring[UserID, bucket]
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newBuckets(rate, burst int, clock func() time.Time) *buckets {
	return &buckets{rate: float64(rate), burst: float64(burst), clock: clock, people: newExpiring[UserID, bucket]()}
}

// take takes so many tokens of a person's where there is one at least, and tells how long to wait where
// there is none. It may leave less than none: what costs more than a bucket holds passes
// too, and is paid for by a longer wait.
func (b *buckets) take(user UserID, tokens int) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock()
	p, known := b.people.get(user)
	if !known {
		p = bucket{tokens: b.burst, at: now}
	}
	p = b.filled(p, now)
	if p.tokens < 1 {
		wait = time.Duration(math.Ceil((1 - p.tokens) / b.rate * float64(time.Second)))
	} else {
		p.tokens -= float64(tokens)
	}
	b.people.put(user, p, func(p bucket) bool { return b.filled(p, now).tokens >= b.burst })
	return wait
}

// filled is a bucket as it stands now.
func (b *buckets) filled(p bucket, now time.Time) bucket {
	if gone := now.Sub(p.at); gone > 0 {
		p.tokens = min(b.burst, p.tokens+gone.Seconds()*b.rate)
		p.at = now
	}
	return p
}
