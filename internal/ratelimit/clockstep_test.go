package ratelimit_test

import (
	"errors"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

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
