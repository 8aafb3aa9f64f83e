package ratelimit_test

import (
	"errors"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// newMeter returns a meter on a store without lag, and its clock.
func newMeter(limits ratelimit.Limits, chance float64) (*ratelimit.Meter, *shared) {
	s := &shared{now: time.Unix(1_535_544_000, 0)}
	return ratelimit.NewMeter(ratelimit.Options{
		Store: s, Limits: limits, Clock: func() time.Time { return s.now }, Chance: func() float64 { return chance },
	}), s
}

// TestTake_NamesTheLimit empties each budget. The error names it and when it has something again.
func TestTake_NamesTheLimit(t *testing.T) {
	t.Parallel()
	limits := ratelimit.For(0)
	for _, id := range ratelimit.IDs() {
		m, s := newMeter(limits, 0)
		cost := ratelimit.Cost{Limit: id, Units: int(limits[id].Window/limits[id].Each) + 1}
		if err := m.Take(t.Context(), "amsg", ratelimit.Budgets{}, cost); err != nil {
			t.Errorf("%v: one request may overdraw: %v", id, err)
		}
		for name, err := range map[string]error{"Take": m.Take(t.Context(), "amsg", ratelimit.Budgets{}, cost), "Allow": m.Allow("amsg", ratelimit.Budgets{}, ratelimit.Cost{Limit: id, Units: 1})} {
			var e *chat.Error
			if !errors.As(err, &e) || e.Kind != chat.RateLimited || e.Limit != id.String() || e.RetryAfter <= 0 || e.RetryAfter > limits[id].Each+time.Millisecond {
				t.Errorf("%s of %v: %+v", name, id, e)
			}
		}
		s.now = s.now.Add(limits[id].Each + time.Millisecond)
		if err := m.Take(t.Context(), "amsg", ratelimit.Budgets{}, cost); err != nil {
			t.Errorf("%v after the wait: %v", id, err)
		}
	}
}

// TestTake_KnowsWhatWasRead refuses by what was read, without a call to the store.
func TestTake_KnowsWhatWasRead(t *testing.T) {
	t.Parallel()
	m, s := newMeter(ratelimit.For(0), 0)
	known := ratelimit.Budgets{ratelimit.Messages: s.now.Add(3500 * time.Millisecond)}
	message := ratelimit.Cost{Limit: ratelimit.Messages, Units: 1}
	var e *chat.Error
	if err := m.Take(t.Context(), "amsg", known, message); !errors.As(err, &e) || e.RetryAfter != 501*time.Millisecond || s.writes != 0 {
		t.Errorf("%v after %d writes", err, s.writes)
	}
	if err := m.Take(t.Context(), "amsg", known, ratelimit.Cost{Limit: ratelimit.Rooms, Units: 1}); err != nil {
		t.Errorf("another limit: %v", err)
	}
}

// TestCharge_TakesFromAnEmptyBudget charges a page that was read when others had emptied the budget.
// The next read waits for all of it, in every process.
func TestCharge_TakesFromAnEmptyBudget(t *testing.T) {
	t.Parallel()
	limits := ratelimit.For(0)
	each, window := limits[ratelimit.Reads].Each, limits[ratelimit.Reads].Window
	for name, known := range map[string]bool{"and the process knows": true, "and the process does not know": false} {
		m, s := newMeter(limits, 0)
		empty := s.now.Add(window)
		s.changes = []change{{s.now, empty}}
		var b ratelimit.Budgets
		if known {
			b[ratelimit.Reads] = empty
		}
		for range 2 {
			if err := m.Charge(t.Context(), "amsg", b, ratelimit.Cost{Limit: ratelimit.Reads, Units: 125}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := s.changes[len(s.changes)-1].fullAt.Sub(empty); got != 250*each {
			t.Errorf("%s: %v are recorded, want %v", name, got, 250*each)
		}
		var e *chat.Error
		if err := m.Take(t.Context(), "amsg", b, ratelimit.Cost{Limit: ratelimit.Reads, Units: 1}); !errors.As(err, &e) || e.RetryAfter < 250*each {
			t.Errorf("%s: the next read: %v", name, err)
		}
	}
}

// TestTake_WithoutLimits sends much, and writes nothing.
func TestTake_WithoutLimits(t *testing.T) {
	t.Parallel()
	m, s := newMeter(ratelimit.None(), 0)
	for _, id := range ratelimit.IDs() {
		if err := m.Take(t.Context(), "amsg", ratelimit.Budgets{}, ratelimit.Cost{Limit: id, Units: 1 << 30}); err != nil {
			t.Error(err)
		}
	}
	if s.writes != 0 {
		t.Errorf("%d writes", s.writes)
	}
}

// TestFor_GoesWithTheRate checks that all limits go with the rate of messages.
func TestFor_GoesWithTheRate(t *testing.T) {
	t.Parallel()
	slow, fast := ratelimit.For(1), ratelimit.For(100)
	for _, id := range ratelimit.IDs() {
		if d := slow[id].Each - 100*fast[id].Each; d < 0 || d > time.Microsecond {
			t.Errorf("%v: %v and %v", id, slow[id].Each, fast[id].Each)
		}
	}
	if ratelimit.For(0) != ratelimit.For(ratelimit.DefaultRate) {
		t.Error("zero is not the default")
	}
}

// TestForServices_GoesWithTheRate checks that all limits of services go with the rate, except
// that they have none toward targets.
func TestForServices_GoesWithTheRate(t *testing.T) {
	t.Parallel()
	slow, fast := ratelimit.ForServices(1), ratelimit.ForServices(100)
	for _, id := range ratelimit.IDs() {
		if d := slow[id].Each - 100*fast[id].Each; d < 0 || d > time.Microsecond {
			t.Errorf("%v: %v and %v", id, slow[id].Each, fast[id].Each)
		}
		if none := fast[id].Each == 0; none != (id.String() == "attention") {
			t.Errorf("%v: one unit refills in %v", id, fast[id].Each)
		}
	}
	if ratelimit.ForServices(0) != ratelimit.ForServices(ratelimit.DefaultRate) {
		t.Error("zero is not the default")
	}
}

// TestForServices_AllowAtLeastWhatPeopleMay compares each limit with a person's, by default.
func TestForServices_AllowAtLeastWhatPeopleMay(t *testing.T) {
	t.Parallel()
	people, services := ratelimit.For(0), ratelimit.ForServices(0)
	for _, id := range ratelimit.IDs() {
		if services[id].Each > people[id].Each || services[id].Each > 0 && services[id].Window < people[id].Window {
			t.Errorf("%v: a service has %+v, a person %+v", id, services[id], people[id])
		}
	}
}

// TestForServices_StopALoop takes units for an hour as fast as one process can. No budget gives
// more than its window and the hour, and what a process records ahead.
func TestForServices_StopALoop(t *testing.T) {
	t.Parallel()
	limits := ratelimit.ForServices(0)
	for _, id := range []ratelimit.ID{ratelimit.Messages, ratelimit.Writes, ratelimit.Rooms, ratelimit.Memberships} {
		l := limits[id]
		m, s := newMeter(limits, 0)
		one := ratelimit.Cost{Limit: id, Units: max(1, int(time.Second/l.Each))}
		taken := time.Duration(0)
		for end := s.now.Add(time.Hour); s.now.Before(end); s.now = s.now.Add(time.Second) {
			for m.Take(t.Context(), "desk", s.readOf(id), one) == nil {
				taken += time.Duration(one.Units) * l.Each
			}
		}
		if most := l.Window + time.Hour + 2*l.Quantum + 2*time.Second; taken > most || taken < l.Window {
			t.Errorf("%v: %v were spent in an hour, want at most %v", id, taken, most)
		}
	}
}

// TestTake_ClockStepNeitherBlocksNorLifts sets the clock of a process forth and back after a budget
// was emptied. The person waits no longer than for a trusted instant, and a step gives no more than
// one full budget.
func TestTake_ClockStepNeitherBlocksNorLifts(t *testing.T) {
	t.Parallel()
	limits := ratelimit.For(0)
	for _, step := range []time.Duration{-time.Second, -time.Minute, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		for _, id := range []ratelimit.ID{ratelimit.Messages, ratelimit.Writes, ratelimit.Reads} {
			m, s := newMeter(limits, 0.5)
			l := limits[id]
			one := ratelimit.Cost{Limit: id, Units: max(1, int(time.Second/l.Each)/10)} // a tenth of a second
			by := time.Duration(one.Units) * l.Each
			var known ratelimit.Budgets
			take := func() error {
				known = s.readOf(id)
				return m.Take(t.Context(), "amsg", known, one)
			}
			for range 1000 {
				_ = take()
			}
			s.now = s.now.Add(step)
			waited := time.Duration(0)
			var e *chat.Error
			for err := take(); errors.As(err, &e) && waited < time.Hour; err = take() {
				if e.RetryAfter > l.Trust() {
					t.Errorf("%v after a step of %v: retry after %v", id, step, e.RetryAfter)
				}
				s.now, waited = s.now.Add(by), waited+by
			}
			if waited > l.Trust() {
				t.Errorf("%v after a step of %v: blocked for %v", id, step, waited)
			}
			taken := time.Duration(0)
			const span = time.Minute
			for end := s.now.Add(span); s.now.Before(end); s.now = s.now.Add(by) {
				for take() == nil {
					taken += by
				}
			}
			if most := span + 2*l.Window + 2*l.Quantum + time.Second; taken > most || taken < span/2 {
				t.Errorf("%v after a step of %v: %v were spent in %v, want at most %v", id, step, taken, span, most)
			}
		}
	}
}

// readOf is read, of any limit.
func (s *shared) readOf(id ratelimit.ID) (b ratelimit.Budgets) {
	if n := len(s.changes); n > 0 {
		b[id] = s.changes[n-1].fullAt
	}
	return b
}
