package apigw

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/live"
)

// TestPace_HoldsTheRate posts from many goroutines as fast as they may.
func TestPace_HoldsTheRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPace(1000, time.Now)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var taken atomic.Int32
		var workers sync.WaitGroup
		for range 64 {
			workers.Go(func() {
				for p.wait(ctx) == nil {
					taken.Add(1)
				}
			})
		}
		workers.Wait()
		if n := taken.Load(); n < 10_000 || n > 10_200 { // ten seconds and the burst
			t.Errorf("%d posts in 10 s at 1,000/s", n)
		}
		if p.pacing().Waited < 60*9*time.Second {
			t.Errorf("64 goroutines waited only %v", p.pacing().Waited)
		}
	})
}

// TestPace_RefusesAtOnceWhatComesTooLate checks that no post waits for a turn after its deadline,
// and that this loses no turn.
func TestPace_RefusesAtOnceWhatComesTooLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPace(10, time.Now)
		for range 12 { // the burst, and more than a second
			_, _ = p.take(t.Context())
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		began := time.Now()
		for range 100 {
			if err := p.wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("waited %v", took)
		}
		if wait, _ := p.take(t.Context()); wait > 1200*time.Millisecond {
			t.Errorf("the next turn is in %v", wait)
		}
	})
}

// refuse records the refusals of new connections.
func refuse(p *pace, n int) {
	for range n {
		p.answer(live.ConnectionID(fmt.Sprint("c", len(p.counted))), true)
	}
}

// TestPace_HalvesAndRecovers follows the rate through an overload.
func TestPace_HalvesAndRecovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPace(1000, time.Now)
		rate := func() float64 {
			_, _ = p.take(t.Context())
			return p.rate
		}
		refuse(p, 64) // of one overload
		if got := rate(); got != 500 {
			t.Errorf("%v after the first halving", got)
		}
		time.Sleep(time.Second)
		if got := rate(); got < 549 || got > 551 {
			t.Errorf("%v a second later", got)
		}
		time.Sleep(time.Minute)
		if got := rate(); got != 1000 {
			t.Errorf("%v a minute later", got)
		}
		for range 100 {
			refuse(p, minRefused)
			time.Sleep(halveEvery)
		}
		if got := rate(); got < 10 || got > 11 {
			t.Errorf("%v at the lowest", got)
		}
		if got := p.pacing().Throttled; got != 101 {
			t.Errorf("throttled %d times", got)
		}
	})
}

// TestPace_FewRefusalsAreTheirClients answers requests for five minutes, four times a second. Clients
// that read nothing are refused each time.
func TestPace_FewRefusalsAreTheirClients(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		silent, others int
		throttled      int
	}{
		"one of two":                             {1, 1, 0},
		"one of 80":                              {1, 79, 0},
		"all connections of one person, alone":   {10, 0, 0},
		"all connections of one person":          {10, 70, 0},
		"two people among many":                  {20, 980, 0},
		"two people among few, once a minute":    {20, 60, 5},
		"five people among few, once a minute":   {50, 30, 5},
		"ten people in two rooms, once a minute": {100, 100, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Unix(1_535_544_000, 0)
			p := newPace(0, func() time.Time { return now })
			lowest := p.rate
			for range 5 * 60 * 4 {
				for i := range tt.others {
					p.answer(live.ConnectionID(fmt.Sprint("other", i)), false)
				}
				for i := range tt.silent {
					p.answer(live.ConnectionID(fmt.Sprint("silent", i)), true)
				}
				lowest = min(lowest, p.rate)
				now = now.Add(time.Second / 4)
			}
			if got := p.pacing().Throttled; got != tt.throttled || lowest < DefaultRate/2 {
				t.Errorf("throttled %d times, want %d; at least %.0f a second", got, tt.throttled, lowest)
			}
		})
	}
}

// TestPace_OverloadLowersIt refuses a tenth of the requests, to other connections each time, for as
// long as more than 1,000 a second are sent.
func TestPace_OverloadLowersIt(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	p := newPace(0, func() time.Time { return now })
	const connections, tick = 10_000, time.Second / 10
	for next, refused := 0, 0; now.Before(time.Unix(1_535_544_010, 0)); now = now.Add(tick) {
		for range int(p.rate * tick.Seconds()) {
			next = (next + 1) % connections
			refuses := p.rate > 1000 && next%10 == refused%10
			p.answer(live.ConnectionID(fmt.Sprint("c", next)), refuses)
		}
		refused++
	}
	if p.rate > 1500 || p.rate < 500 {
		t.Errorf("the rate is %.0f a second", p.rate)
	}
}

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
