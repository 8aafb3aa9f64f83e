package apigw

import (
	"context"
	"maps"
	"math"
	"sync"
	"time"

	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/live"
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
	// moment is the time in which the refusals of several connections are one sign of overload. A
	// batch posts for less.
	moment = time.Second
	// minRefused connections, refused within a moment, are a sign of overload: more than one
	// person has, who may read none of them.
	minRefused = live.MaxConnections + 1
	// refusedShare of the requests of a moment must be refused connections, a twentieth. Fewer
	// may be clients that read nothing, and a retry hides so mild an overload.
	refusedShare = 20
	// countEvery is the shortest time between two refusals of one connection that count. Clients
	// that read nothing thus lower the pace once in that time, and it recovers within seven
	// seconds. An overload strikes other connections each time.
	countEvery = time.Minute
	// maxCounted bounds the connections whose refusals are remembered.
	maxCounted = 10_000
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
	total  live.Pacing

	began    time.Time                       // of the current moment
	answered int                             // requests within it
	refused  int                             // connections whose refusal within it counts
	counted  map[live.ConnectionID]time.Time // when a refusal last counted
}

func newPace(rate int, clock func() time.Time) *pace {
	if rate == 0 {
		rate = DefaultRate
	}
	return &pace{clock: clock, highest: float64(rate), rate: float64(rate), counted: map[live.ConnectionID]time.Time{}}
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
	p.total.Waited += wait
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

// answer records whether the service refused a request to a connection with 429. The service does
// so if the client's buffer is full, or if there are too many requests. If many connections are
// refused, there are too many requests, and the rate is halved.
func (p *pace) answer(to live.ConnectionID, refused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	p.recover(now)
	counts := refused && p.counts(to, now)
	if now.Sub(p.halved) < halveEvery {
		return
	}
	if ago := now.Sub(p.began); ago < 0 || ago >= moment {
		p.began, p.answered, p.refused = now, 0, 0
	}
	p.answered++
	if counts {
		p.refused++
	}
	if p.refused >= minRefused && p.refused*refusedShare > p.answered {
		p.halved, p.answered, p.refused = now, 0, 0
		p.rate = max(p.rate/2, p.highest*slowest)
		p.total.Throttled++
	}
}

// counts reports whether a connection's refusal counts, and remembers it.
func (p *pace) counts(id live.ConnectionID, now time.Time) bool {
	recent := func(at time.Time) bool { ago := now.Sub(at); return ago >= 0 && ago < countEvery }
	if recent(p.counted[id]) {
		return false
	}
	if len(p.counted) >= maxCounted {
		maps.DeleteFunc(p.counted, func(_ live.ConnectionID, at time.Time) bool { return !recent(at) })
	}
	if len(p.counted) >= maxCounted {
		clear(p.counted)
	}
	p.counted[id] = now
	return true
}

func (p *pace) pacing() live.Pacing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total
}
