package apigw

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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
		if p.total() < 60*9*time.Second {
			t.Errorf("64 goroutines waited only %v", p.total())
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

// TestPace_HalvesAndRecovers follows the rate through an overload.
func TestPace_HalvesAndRecovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPace(1000, time.Now)
		rate := func() float64 {
			_, _ = p.take(t.Context())
			return p.rate
		}
		for range 64 { // of one overload
			p.halve()
		}
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
			p.halve()
			time.Sleep(halveEvery)
		}
		if got := rate(); got < 10 || got > 11 {
			t.Errorf("%v at the lowest", got)
		}
	})
}
