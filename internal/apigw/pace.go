package apigw

import (
	"context"
	"math"
	"sync"
	"time"

	smithytime "github.com/aws/smithy-go/time"
)

const (
	// DefaultRate is how many posts a second one process sends by default. All requests of an
	// account in a Region share 10,000 a second; without pacing, delivery would starve sending.
	DefaultRate = 5000
	// burst is how much an idle process may post without waiting, expressed as time at its rate.
	burst = 100 * time.Millisecond
	// slowest is the lowest rate, as a fraction of the configured one. Without it, a process would
	// need minutes to recover from a long overload.
	slowest = 0.01
	// halveEvery is the shortest time between two halvings. The refusals of all posts that are
	// under way at that moment are one sign of overload, not many.
	halveEvery = 250 * time.Millisecond
	// growth is the factor by which the rate recovers per second.
	growth = 1.1
)

// pace spreads posts over time.
type pace struct {
	clock   func() time.Time
	highest float64 // posts a second

	mu     sync.Mutex
	rate   float64
	asOf   time.Time // when rate was computed
	halved time.Time // the last halving
	next   time.Time // when the next post may go
	waited time.Duration
}

func newPace(rate int, clock func() time.Time) *pace {
	if rate == 0 {
		rate = DefaultRate
	}
	return &pace{clock: clock, highest: float64(rate), rate: float64(rate)}
}

// wait waits for the turn of a post. If ctx ends before the turn, wait returns an error
// immediately, and the turn stays free.
func (p *pace) wait(ctx context.Context) error {
	wait, err := p.take(ctx)
	if err != nil || wait <= 0 {
		return err
	}
	return smithytime.SleepWithContext(ctx, wait)
}

// take reserves a turn and returns the time until then.
func (p *pace) take(ctx context.Context) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	p.recover(now)
	turn := p.next
	if earliest := now.Add(-burst); turn.Before(earliest) {
		turn = earliest
	}
	wait := max(0, turn.Sub(now))
	if deadline, ok := ctx.Deadline(); ok && wait > time.Until(deadline) {
		return 0, context.DeadlineExceeded
	}
	p.next = turn.Add(time.Duration(float64(time.Second) / p.rate))
	p.waited += wait
	return wait, nil
}

// recover raises the rate for the time since it was last computed. If the clock was set back, the
// other times move with it, so that no post waits for the clock to catch up.
func (p *pace) recover(now time.Time) {
	elapsed := now.Sub(p.asOf)
	if elapsed < 0 {
		p.next, p.halved = p.next.Add(elapsed), p.halved.Add(elapsed)
	}
	if p.rate < p.highest && elapsed > 0 {
		p.rate = min(p.highest, p.rate*math.Pow(growth, elapsed.Seconds()))
	}
	p.asOf = now
}

// halve halves the rate, unless it was just halved.
func (p *pace) halve() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	p.recover(now)
	if now.Sub(p.halved) < halveEvery {
		return
	}
	p.halved = now
	p.rate = max(p.rate/2, p.highest*slowest)
}

func (p *pace) total() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waited
}
