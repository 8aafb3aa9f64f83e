package tokenbucket

import (
	"testing"
	"time"
)

// TestBuckets_ClockStepNeitherBlocksNorLifts sets the clock forth and back while a bucket is empty.
// Nobody waits for the step, and no step gives more than a full bucket.
func TestBuckets_ClockStepNeitherBlocksNorLifts(t *testing.T) {
	t.Parallel()
	const rate, burst = 10, 20
	for _, step := range []time.Duration{-time.Second, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		now := time.Unix(1_535_544_000, 0)
		b := New[string](rate, burst, func() time.Time { return now })
		for range burst {
			b.Take("amsg", 1)
		}
		now = now.Add(step)
		if wait := b.Take("amsg", 1); wait > time.Second/rate {
			t.Errorf("after a step of %v: wait %v", step, wait)
		}
		taken := 0
		for range 100 { // ten seconds
			now = now.Add(time.Second / rate)
			for b.Take("amsg", 1) == 0 {
				taken++
			}
		}
		if taken < 99 || taken > 100+burst {
			t.Errorf("after a step of %v: %d in ten seconds at %d a second", step, taken, rate)
		}
	}
}
