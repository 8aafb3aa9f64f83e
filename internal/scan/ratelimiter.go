package scan

import (
	"context"
	"sync"
	"time"

	smithytime "github.com/aws/smithy-go/time"
)

// RateLimiter limits a command to a number of capacity units a second, so it leaves the rest for
// the service's users. It is safe for concurrent use.
type RateLimiter struct {
	rate  float64
	clock func() time.Time

	mu   sync.Mutex
	free time.Time // when all units taken so far are paid for
	used float64
}

// NewRateLimiter returns a RateLimiter of rate units a second.
func NewRateLimiter(rate float64, clock func() time.Time) *RateLimiter {
	return &RateLimiter{rate: rate, clock: clock}
}

// Take waits until the given units, which were just consumed, are paid for at this limiter.
func (p *RateLimiter) Take(ctx context.Context, units float64) error {
	return smithytime.SleepWithContext(ctx, p.take(units))
}

// take returns the wait until the given units are paid for.
func (p *RateLimiter) take(units float64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	if p.free.Before(now) {
		p.free = now
	}
	p.used += units
	p.free = p.free.Add(time.Duration(units / p.rate * float64(time.Second)))
	return p.free.Sub(now)
}

// Used returns the number of units taken so far.
func (p *RateLimiter) Used() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}
