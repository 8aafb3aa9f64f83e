package auth_test

import (
	"testing"
	"time"
)

// TestRemote_ClockStepStopsNoFetch moves the clock forward and back after the keys were fetched. A
// new key is found as soon as without a step, a withdrawn one is not kept longer, and the pause
// between fetches remains.
func TestRemote_ClockStepStopsNoFetch(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{-time.Second, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		p := newProvider(t)
		r := p.remote(t)
		if _, err := r.Key(t.Context(), "k1"); err != nil {
			t.Fatal(err)
		}
		p.set(func(p *provider) { p.keys = []map[string]any{published(1, "k2")} })
		p.after(step)
		for range 100 {
			_, _ = r.Key(t.Context(), "x")
		}
		if n := p.fetches.Load(); n > 2 {
			t.Errorf("after a step of %v: %d concurrent fetches", step, n)
		}
		p.after(10 * time.Second)
		if _, err := r.Key(t.Context(), "k2"); err != nil {
			t.Errorf("after a step of %v: no new key: %v", step, err)
		}
		if _, err := r.Key(t.Context(), "k1"); err == nil {
			t.Errorf("after a step of %v: the withdrawn key is kept", step)
		}
	}
}

// TestRemote_ClockSetBackKeepsNoKeyLonger withdraws a key that nobody else requests.
func TestRemote_ClockSetBackKeepsNoKeyLonger(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	r := p.remote(t)
	if _, err := r.Key(t.Context(), "k1"); err != nil {
		t.Fatal(err)
	}
	p.set(func(p *provider) { p.keys = []map[string]any{published(1, "k2")} })
	p.after(-24 * time.Hour)
	p.after(time.Hour)
	if _, err := r.Key(t.Context(), "k1"); err == nil {
		t.Error("a key that was withdrawn an hour ago is accepted")
	}
}
