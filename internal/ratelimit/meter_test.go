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
