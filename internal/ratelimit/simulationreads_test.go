package ratelimit_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/test/race"
)

// reader is a process that a person reads from. It remembers the account for a while.
type reader struct {
	meter *ratelimit.Meter
	known ratelimit.Budgets
	asOf  time.Time
	next  time.Time
	more  int // reads that follow immediately
}

// read makes a read, and reports whether it is accepted. The answer costs all but readUnits.
func (r *reader) read(t *testing.T, s *shared, units int) bool {
	t.Helper()
	const readUnits = 4
	if s.now.Sub(r.asOf) >= account.CacheAge {
		r.known, r.asOf = s.read(), s.now
	}
	if r.meter.Take(t.Context(), "amsg", r.known, ratelimit.Cost{Limit: ratelimit.Reads, Units: readUnits}) != nil {
		return false
	}
	if err := r.meter.Charge(t.Context(), "amsg", r.known, ratelimit.Cost{Limit: ratelimit.Reads, Units: units - readUnits}); err != nil {
		t.Fatal(err)
	}
	return true
}

// reads simulates a person who reads, and returns when units were read, and how many reads were
// refused and how many writes that took.
func (p pattern) reads(t *testing.T, seed uint64) (units []time.Time, refused, writes int) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	start := time.Unix(1_535_544_000, 0)
	store := &shared{lag: p.lag, forgets: p.forgets}
	readers := make([]reader, p.processes)
	for i := range readers {
		readers[i] = reader{next: start.Add(time.Duration(random.Int64N(int64(p.every)))), more: p.together, meter: ratelimit.NewMeter(ratelimit.Options{
			Store: store, Limits: ratelimit.For(0), Clock: func() time.Time { return store.now }, Chance: random.Float64,
		})}
	}
	for {
		r := &readers[0]
		for i := range readers {
			if readers[i].next.Before(r.next) {
				r = &readers[i]
			}
		}
		if store.now = r.next; store.now.Sub(start) >= p.length {
			return units, refused, store.writes
		}
		if r.read(t, store, p.units) {
			for range p.units {
				units = append(units, store.now)
			}
		} else {
			refused++
		}
		if r.more--; r.more > 0 {
			r.next = store.now.Add(20 * time.Millisecond)
			continue
		}
		r.more = p.together
		r.next = store.now.Add(p.every/2 + time.Duration(random.Int64N(int64(p.every))))
	}
}

// TestTake_HoldsReadsAcrossProcesses reads through 64 processes, which learn what others have
// recorded after 4 seconds only. A budget is 10 seconds of the rate, so that twice the rate would be
// exact.
func TestTake_HoldsReadsAcrossProcesses(t *testing.T) {
	t.Parallel()
	const (
		rate               = 200
		atMost10, atMost60 = 2.5, 1.3 // times the rate, over 10 seconds and over a minute
	)
	for name, p := range map[string]pattern{
		"as fast as they answer":  {every: 40 * time.Millisecond, units: 4},
		"small pages":             {every: 60 * time.Millisecond, units: 8},
		"four a second each":      {every: 250 * time.Millisecond, units: 4},
		"one a second each":       {every: time.Second, units: 4},
		"pages of 40 KB":          {every: 250 * time.Millisecond, units: 14},
		"pages of a megabyte":     {every: 500 * time.Millisecond, units: 129},
		"one process":             {processes: 1, every: 5 * time.Millisecond, units: 4},
		"a seeded bug: no memory": {every: 40 * time.Millisecond, units: 4, forgets: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.length, p.lag = time.Minute, 100*time.Millisecond
			if p.processes == 0 {
				p.processes = 64
			}
			var over10, over60 int
			for seed := range race.Times(3, 1) { // each is one goroutine
				units, _, _ := p.reads(t, uint64(seed))
				over10, over60 = max(over10, most(units, 10*time.Second)), max(over60, len(units))
			}
			got10, got60 := float64(over10)/(10*rate), float64(over60)/(60*rate)
			t.Logf("%.2f times the rate over 10 seconds, %.2f over a minute", got10, got60)
			if p.forgets {
				if got60 < 4 {
					t.Error("the simulation does not notice that nothing is shared")
				}
				return
			}
			if got10 > atMost10 || got60 > atMost60 {
				t.Errorf("want at most %.1f and %.1f", atMost10, atMost60)
			}
		})
	}
}

// TestTake_ReadsCostLittle reads below the limit. A million reads cost at most ten cents, or 15 % of
// what large pages cost themselves: each record is a write and a strong read.
func TestTake_ReadsCostLittle(t *testing.T) {
	t.Parallel()
	const reads = 20_000
	for name, p := range map[string]pattern{
		"now and then":                       {processes: 1, every: 20 * time.Second, units: 5},
		"the app opens, on two processes":    {processes: 2, every: 20 * time.Second, units: 5, together: 13},
		"the same with larger pages":         {processes: 4, every: 20 * time.Second, units: 7, together: 13},
		"pages of 40 KB":                     {processes: 2, every: 20 * time.Second, units: 14, together: 3},
		"somebody who reads a lot":           {processes: 1, every: time.Second, units: 6},
		"a bot that polls":                   {processes: 1, every: 200 * time.Millisecond, units: 4},
		"a bot that polls, on 8 processes":   {processes: 8, every: 4 * time.Second, units: 5},
		"a bot that reads pages all the day": {processes: 1, every: 100 * time.Millisecond, units: 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.lag, p.length = 20*time.Millisecond, p.every*time.Duration(reads/p.processes/max(1, p.together))
			units, refused, writes := p.reads(t, 1)
			made := float64(len(units) / p.units)
			dollars := float64(writes) / made * (dollarsAMillionWrites + dollarsAMillionReads)
			t.Logf("a million cost $%.4f; %d of %.0f are refused", dollars, refused, made)
			own := float64(p.units) * dollarsAMillionReads // what the reads cost without a limit
			if dollars > max(0.10, 0.15*own) || refused > 0 {
				t.Errorf("a million reads cost $%.4f, want at most $0.10 or 15%% of $%.2f; %d are refused", dollars, own, refused)
			}
		})
	}
}
