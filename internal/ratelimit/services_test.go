package ratelimit_test

import (
	"testing"
	"time"

	"example.com/parley/internal/ratelimit"
)

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
