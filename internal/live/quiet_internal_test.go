package live

import (
	"testing"
	"time"
)

// TestQuiet_ClockStepSuspendsNobodyForLong sets the clock forth and back while a connection is
// suspended. It is suspended for twice its time at most.
func TestQuiet_ClockStepSuspendsNobodyForLong(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{-time.Second, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		now := time.Unix(1_535_544_000, 0)
		d := &Delivery{o: DeliveryOptions{Clock: func() time.Time { return now }}, hung: map[ConnectionID]hang{}}
		d.quiet("c")
		if !d.isQuiet("c", now) {
			t.Fatal("the connection is not suspended")
		}
		now = now.Add(step)
		passed := time.Duration(0)
		for ; d.isQuiet("c", now) && passed < time.Minute; passed += time.Second / 4 {
			now = now.Add(time.Second / 4)
		}
		if passed > 2*firstQuiet {
			t.Errorf("after a step of %v, the connection is suspended for %v", step, passed)
		}
	}
}
