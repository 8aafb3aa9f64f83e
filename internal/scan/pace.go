package scan

import (
	"context"
	"sync"
	"time"

	smithytime "github.com/aws/smithy-go/time"
)

// Pace limits a command to a number of capacity units a second, so it leaves the rest for the
// service's users. It is safe for concurrent use.
type Pace struct {
	rate  float64
	clock func() time.Time

	mu   sync.Mutex
	free time.Time // when all units taken so far are paid for
	used float64
}

// NewPace returns a Pace of rate units a second.
func NewPace(rate float64, clock func() time.Time) *Pace {
	return &Pace{rate: rate, clock: clock}
}

// Take waits until the given units, which were just consumed, are paid for at this pace.
func (p *Pace) Take(ctx context.Context, units float64) error {
	return smithytime.SleepWithContext(ctx, p.take(units))
}

// take returns the wait until the given units are paid for.
func (p *Pace) take(units float64) time.Duration {
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
func (p *Pace) Used() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}
