package ratelimit_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/test/race"
)

// The prices of a million units in us-east-1, for the cost of a message.
const dollarsAMillionWrites, dollarsAMillionReads = 0.625, 0.125

// shared is a store in memory whose reads lag. Its clock is the simulation's.
type shared struct {
	now     time.Time
	lag     time.Duration
	changes []change
	writes  int
	forgets bool // seeded bug: records reach no other process
}

type change struct{ at, fullAt time.Time }

func (s *shared) Spend(_ context.Context, _ chat.UserID, p ratelimit.Spending) (time.Time, bool, error) {
	s.writes++
	var current time.Time
	if len(s.changes) > 0 && !s.forgets {
		current = s.changes[len(s.changes)-1].fullAt
	}
	if current.After(p.Now.Add(p.Trust)) {
		current = p.Now
	}
	if current.Sub(p.Now) >= p.Below {
		return current, false, nil
	}
	if current.Before(p.Now) {
		current = p.Now
	}
	current = current.Add(p.By)
	s.changes = append(s.changes, change{s.now, current})
	return current, true, nil
}

// read returns what an eventual read returns: what was stored a moment ago.
func (s *shared) read() (b ratelimit.Budgets) {
	for _, c := range slices.Backward(s.changes) {
		if s.now.Sub(c.at) >= s.lag && !s.forgets {
			b[ratelimit.Messages], b[ratelimit.Reads] = c.fullAt, c.fullAt
			break
		}
	}
	return b
}

// pattern is how a person sends.
type pattern struct {
	processes int
	every     time.Duration // between the requests to one process
	length    time.Duration
	lag       time.Duration
	forgets   bool
	units     int // of each read, in a simulation of reads
	together  int // reads that immediately follow one another, in a simulation of reads
}

// run simulates a person, and returns when messages were accepted, how many were refused and how
// many writes that took.
func (p pattern) run(seed uint64) (accepted []time.Time, refused, writes int) {
	random := rand.New(rand.NewPCG(seed, 1))
	start := time.Unix(1_535_544_000, 0)
	store := &shared{lag: p.lag, forgets: p.forgets}
	meters := make([]*ratelimit.Meter, p.processes)
	next := make([]time.Time, p.processes)
	for i := range meters {
		meters[i] = ratelimit.NewMeter(ratelimit.Options{
			Store: store, Limits: ratelimit.For(0), Clock: func() time.Time { return store.now }, Chance: random.Float64,
		})
		next[i] = start.Add(time.Duration(random.Int64N(int64(p.every))))
	}
	for {
		i := 0
		for j := range next {
			if next[j].Before(next[i]) {
				i = j
			}
		}
		if store.now = next[i]; store.now.Sub(start) >= p.length {
			return accepted, refused, store.writes
		}
		if err := meters[i].Take(context.Background(), "amsg", store.read(), ratelimit.Cost{Limit: ratelimit.Messages, Units: 1}); err == nil {
			accepted = append(accepted, store.now)
		} else {
			refused++
		}
		next[i] = store.now.Add(p.every/2 + time.Duration(random.Int64N(int64(p.every))))
	}
}

// most returns the most instants within a span.
func most(instants []time.Time, span time.Duration) (n int) {
	first := 0
	for i, at := range instants {
		for at.Sub(instants[first]) >= span {
			first++
		}
		n = max(n, i-first+1)
	}
	return n
}

// exceeding returns how many of the runs of a pattern accept twice the rate within 10 seconds.
func exceeding(p pattern, runs int) (n, most10 int) {
	for seed := range runs {
		accepted, _, _ := p.run(uint64(seed))
		m := most(accepted, 10*time.Second)
		most10 = max(most10, m)
		if m >= 2*10*ratelimit.DefaultRate {
			n++
		}
	}
	return n, most10
}

// TestTake_HoldsAcrossProcesses floods through 64 processes, as fast as one answers, at the pace that
// lets most pass by chance, and with reads that lag for longer than they should.
func TestTake_HoldsAcrossProcesses(t *testing.T) {
	t.Parallel()
	runs := race.Times(100, 2) // each is one goroutine
	for name, p := range map[string]pattern{
		"as fast as they answer": {processes: 64, every: 40 * time.Millisecond, length: 11 * time.Second, lag: 50 * time.Millisecond},
		"reads that lag":         {processes: 64, every: 50 * time.Millisecond, length: 11 * time.Second, lag: 250 * time.Millisecond},
		"four a second each":     {processes: 64, every: 250 * time.Millisecond, length: 20 * time.Second, lag: 100 * time.Millisecond},
		"one a second each":      {processes: 64, every: time.Second, length: 30 * time.Second, lag: 100 * time.Millisecond},
		"one process":            {processes: 1, every: 5 * time.Millisecond, length: 30 * time.Second, lag: 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, most := exceeding(p, runs)
			t.Logf("%d of %d runs reach twice the rate, at most %d in 10 s", n, runs, most)
			if n > runs/100 {
				t.Errorf("%d of %d runs reach twice the rate, want at most one in a hundred", n, runs)
			}
		})
	}
}

// TestTake_HoldsAcrossProcessesOnlyTogether is the same with a bug: no process learns what others
// have recorded. The simulation must notice it.
func TestTake_HoldsAcrossProcessesOnlyTogether(t *testing.T) {
	t.Parallel()
	runs := race.Times(3, 1)
	p := pattern{processes: 64, every: 40 * time.Millisecond, length: 11 * time.Second, lag: 50 * time.Millisecond, forgets: true}
	if n, most := exceeding(p, runs); n < runs {
		t.Errorf("without shared counts %d of %d runs reach twice the rate, at most %d in 10 s", n, runs, most)
	}
}

// TestTake_CostsLittle sends at rates below the limit. A million messages cost at most ten cents,
// with the eventual read of the account, and hardly any is refused. Only bots cost a cent more, which
// use many processes or come near the limit.
func TestTake_CostsLittle(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pattern
		atMost float64
	}{
		"somebody who writes now and then": {pattern{processes: 1, every: 20 * time.Second}, 0.10},
		"the same, on many processes":      {pattern{processes: 16, every: 320 * time.Second}, 0.10},
		"somebody who writes a lot":        {pattern{processes: 2, every: 4 * time.Second}, 0.10},
		"a bot":                            {pattern{processes: 1, every: time.Second}, 0.10},
		"a fast bot":                       {pattern{processes: 1, every: 200 * time.Millisecond}, 0.10},
		"a bot, on 8 processes":            {pattern{processes: 8, every: 8 * time.Second}, 0.11},
		"nearly the limit":                 {pattern{processes: 1, every: 111 * time.Millisecond}, 0.11},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := tt.pattern
			p.length, p.lag = p.every*20_000/time.Duration(p.processes), 20*time.Millisecond
			accepted, refused, writes := p.run(1)
			sends := float64(len(accepted))
			dollars := float64(writes)/sends*dollarsAMillionWrites + dollarsAMillionReads/2
			t.Logf("a million cost $%.4f; %d of %.0f are refused", dollars, refused, sends)
			if dollars > tt.atMost {
				t.Errorf("a million messages cost $%.4f, want at most $%.2f", dollars, tt.atMost)
			}
			if float64(refused) > sends/100 {
				t.Errorf("%d of %.0f are refused", refused, sends)
			}
		})
	}
}
