package apigw

import (
	"testing"
	"time"
)

// TestPace_ClockStepDelaysNoPost moves the clock forward and back while posts are paced. No post
// waits for the step, the rate holds, and an overload is noticed.
func TestPace_ClockStepDelaysNoPost(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{-time.Second, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		now := time.Unix(1_535_544_000, 0)
		p := newPace(100, func() time.Time { return now })
		for range 20 { // the burst, and a tenth of a second
			_, _ = p.take(t.Context())
		}
		refuse(p, minRefused)
		now = now.Add(step)
		wait, err := p.take(t.Context())
		if err != nil || wait > 200*time.Millisecond {
			t.Errorf("after a step of %v: wait %v, %v", step, wait, err)
		}
		now = now.Add(halveEvery)
		before := p.rate
		if refuse(p, minRefused); p.rate > before*0.6 {
			t.Errorf("after a step of %v: an overload leaves the rate at %.0f of %.0f", step, p.rate, before)
		}
		for range 1000 {
			wait, err = p.take(t.Context())
		}
		if err != nil || wait < 9*time.Second {
			t.Errorf("after a step of %v: 1,000 posts at 100 a second take %v", step, wait)
		}
	}
}
