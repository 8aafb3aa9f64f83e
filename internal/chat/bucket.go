package chat

import (
	"math"
	"sync"
	"time"
)

// buckets bound how fast each person sends through one process: a token
// bucket a person. A person whose bucket has filled again is forgotten.
type buckets struct {
	rate, burst float64
	clock       func() time.Time
	mu          sync.Mutex
	people      map[UserID]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newBuckets(rate, burst int, clock func() time.Time) *buckets {
	return &buckets{rate: float64(rate), burst: float64(burst), clock: clock, people: map[UserID]bucket{}}
}

// take takes a token of a person's, and tells how long to wait when there is none.
func (b *buckets) take(user UserID) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.clock()
	p, known := b.people[user]
	if !known {
		b.forget(now)
		p = bucket{tokens: b.burst, at: now}
	}
	p = b.filled(p, now)
	if p.tokens < 1 {
		b.people[user] = p
		return time.Duration(math.Ceil((1 - p.tokens) / b.rate * float64(time.Second)))
	}
	p.tokens--
	b.people[user] = p
	return 0
}

// filled is a bucket as it stands now.
func (b *buckets) filled(p bucket, now time.Time) bucket {
	if gone := now.Sub(p.at); gone > 0 {
		p.tokens = min(b.burst, p.tokens+gone.Seconds()*b.rate)
		p.at = now
	}
	return p
}

// forget drops full buckets once there are many.
func (b *buckets) forget(now time.Time) {
	if len(b.people) < maxBuckets {
		return
	}
	for user, p := range b.people {
		if b.filled(p, now).tokens >= b.burst {
			delete(b.people, user)
		}
	}
	if len(b.people) >= maxBuckets {
		clear(b.people) // so many at once are throttled elsewhere
	}
}
