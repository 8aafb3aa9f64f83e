package live_test

import (
	"testing"
	"time"

	"example.com/parley/internal/live"
)

// TestRests_Double rests a connection again and again. A frame that arrives ends its rests.
func TestRests_Double(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	rests := live.NewRests(func() time.Time { return now })
	for _, want := range []time.Duration{2, 4, 8, 16, 32, 60, 60} {
		rests.Begin("c")
		now = now.Add(want*time.Second - 1)
		if !rests.Resting("c") {
			t.Errorf("the rest ends before %d s", want)
		}
		if now = now.Add(1); rests.Resting("c") {
			t.Errorf("the rest is longer than %d s", want)
		}
	}
	rests.Begin("c")
	rests.End("c")
	if rests.Resting("c") {
		t.Error("a connection that accepts frames rests")
	}
	rests.Begin("c")
	if now = now.Add(2 * time.Second); rests.Resting("c") {
		t.Error("the first rest after a frame is longer than 2 s")
	}
}

// TestRests_ClockStepRestsNobodyForLong sets the clock forth and back while a connection rests. It
// rests for twice its time at most.
func TestRests_ClockStepRestsNobodyForLong(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{-time.Second, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		now := time.Unix(1_535_544_000, 0)
		rests := live.NewRests(func() time.Time { return now })
		rests.Begin("c")
		if !rests.Resting("c") {
			t.Fatal("the connection does not rest")
		}
		now = now.Add(step)
		passed := time.Duration(0)
		for ; rests.Resting("c") && passed < time.Minute; passed += time.Second / 4 {
			now = now.Add(time.Second / 4)
		}
		if passed > 4*time.Second {
			t.Errorf("after a step of %v, the connection rests for %v", step, passed)
		}
	}
}
