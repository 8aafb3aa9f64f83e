package expiring_test

import (
	"testing"
	"time"

	"example.com/parley/internal/expiring"
)

// TestCache_ClockStepKeepsNothingLonger moves the clock forward and back. A value is kept for at
// most twice its age, and new values are stored immediately, even for a key that was deleted
// before.
func TestCache_ClockStepKeepsNothingLonger(t *testing.T) {
	t.Parallel()
	const age = 5 * time.Second
	for _, step := range []time.Duration{-time.Second, -age, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		now := time.Unix(1_535_544_000, 0)
		c := expiring.NewCache[string, int](age, func() time.Time { return now })
		c.Put("kept", 1, now)
		c.Delete("deleted")
		now = now.Add(step)
		passed := time.Duration(0)
		for ; passed < 3*age; passed += time.Second {
			if _, ok := c.Get("kept"); !ok {
				break
			}
			now = now.Add(time.Second)
		}
		if passed > 2*age {
			t.Errorf("after a step of %v, a value is kept for %v", step, passed)
		}
		now = now.Add(2 * age)
		for _, key := range []string{"kept", "deleted"} {
			c.Put(key, 2, now)
			if n, ok := c.Get(key); !ok || n != 2 {
				t.Errorf("after a step of %v, no new value of %s is stored", step, key)
			}
		}
	}
}
