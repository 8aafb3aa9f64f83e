package follow_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"example.com/parley/internal/follow"
)

// step is one event in a random script.
type step struct {
	do string
	n  int
}

// steps are the events of random scripts, with the largest argument of each.
var steps = map[string]int{
	"deliver": 3, "lose": 3, "repeat": 2, "swap": 1, "omit": 1, "old": 5, // frames
	"wait": 900, "moment": 600, // seconds, milliseconds
	"cut": 1, "cut later": 4, "expired": 1, "going-away": 1, "too-many-connections": 1, "refuse": 8, "silence": 120, "forget": 1,
	"broken": 2, "401": 1, "429": 2, "500": 2, "503": 3,
	"restore": 1, "restart": 1, "garbage": 0,
	"half open": 0, "sleep": 3600, "slow": 4, "hang": 2, "heads": 0,
}

var kinds = []string{"message.created", "message.edited", "message.deleted"}

// run plays a step against the server.
func (s *service) run(r *reader, st step) {
	switch st.do {
	case "deliver", "lose", "repeat", "swap", "omit", "old":
		s.frames(st)
	case "wait":
		time.Sleep(time.Duration(st.n) * time.Second)
	case "moment":
		time.Sleep(time.Duration(st.n) * time.Millisecond)
	case "cut":
		s.cut()
	case "expired", "going-away", "too-many-connections":
		s.cut(st.do)
	case "garbage":
		s.send([]byte("{"))
	case "restore": // onto another table, whose servers are others
		s.restore()
		s.cut()
	case "restart":
		_ = r.end()
		r.start(uint64(st.n), socketAddress)
	case "half open":
		s.halve()
	case "sleep":
		s.halve()
		r.ahead.Add(int64(time.Duration(st.n) * time.Second))
	case "slow":
		s.locked(func() { s.slow = time.Duration(st.n) * time.Second })
	case "hang":
		s.locked(func() { s.hang = st.n })
	case "heads":
		s.send(encoded(map[string]any{"type": "heads", "rooms": []any{map[string]any{"id": "seattle", "head": s.change("message.created")}}}))
	case "silence":
		s.locked(func() { s.silent = true })
		time.Sleep(time.Duration(st.n) * time.Second)
		s.locked(func() { s.silent = false })
	default:
		s.locked(func() { s.set(st) })
	}
}

// set arms a fault.
func (s *service) set(st step) {
	statuses := map[string]int{"broken": 0, "429": 429, "500": 500, "503": 503}
	switch st.do {
	case "cut later":
		s.cutAt = st.n + 1
	case "refuse":
		s.refuse = st.n
	case "forget":
		s.forget = true
	case "401": // three in a row end a reader
		if s.unauthorized < 2 {
			s.answers = []int{http.StatusUnauthorized}
		}
	default:
		status, ok := statuses[st.do]
		for range st.n {
			if ok {
				s.answers = append(s.answers, status)
			}
		}
	}
}

// frames appends changes and sends, loses, repeats or reorders their frames.
func (s *service) frames(st step) {
	if st.do == "old" {
		if st.n > 0 {
			s.send(s.frame(false, st.n))
		}
		return
	}
	var texts [][]byte
	for n := range st.n + 1 {
		texts = append(texts, s.frame(st.do == "omit", s.change(kinds[(st.n+n)%len(kinds)])))
	}
	switch st.do {
	case "lose":
		return
	case "repeat":
		texts = append(texts, texts...)
	case "swap":
		texts[0], texts[len(texts)-1] = texts[len(texts)-1], texts[0]
	}
	for _, text := range texts {
		s.send(text)
	}
}

func (s *service) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// heal ends all faults.
func (s *service) heal() {
	s.locked(func() {
		s.refuse, s.cutAt, s.answers, s.silent, s.forget, s.slow, s.hang = 0, 0, nil, false, false, 0, 0
	})
}

// TestRun_EndsWithTheServersList plays random scripts. After the faults end, the reader agrees
// with the server within one sync interval, or within a minute if it syncs its room when that is quiet.
func TestRun_EndsWithTheServersList(t *testing.T) {
	t.Parallel()
	names := slices.Sorted(maps.Keys(steps))
	script := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		name := rapid.SampledFrom(names).Draw(t, "do")
		return step{name, rapid.IntRange(0, steps[name]).Draw(t, "n")}
	}), 1, 40)
	rapid.Check(t, func(rt *rapid.T) {
		played, seed := script.Draw(rt, "script"), rapid.Uint64().Draw(rt, "seed")
		var failure error
		synctest.Test(t, func(t *testing.T) {
			s, r := world(t)
			limit := 10 * time.Minute
			if seed%2 == 0 {
				r.quiet, limit = quiet, time.Minute
			}
			r.start(seed, socketAddress)
			for _, st := range played {
				s.run(r, st)
			}
			s.heal()
			time.Sleep(limit)
			failure = r.agrees(s)
			if err := r.end(); !errors.Is(err, context.Canceled) {
				failure = errors.Join(failure, fmt.Errorf("the reader ended with %w", err))
			}
		})
		if failure != nil {
			rt.Fatal(failure)
		}
	})
}

// TestRun_SurvivesACutAtEveryMessage breaks the connection at each message that the server writes
// in a long delivery, for a reader that follows and for one that polls in between.
func TestRun_SurvivesACutAtEveryMessage(t *testing.T) {
	t.Parallel()
	for cutAt := 1; cutAt <= 14; cutAt++ {
		for _, refused := range []int{0, 3} {
			synctest.Test(t, func(t *testing.T) {
				s, r := world(t)
				s.cutAt, s.refuse = cutAt, refused
				r.start(uint64(cutAt), socketAddress)
				for n := range 12 {
					s.send(s.frame(false, s.change(kinds[n%len(kinds)])))
					time.Sleep(200 * time.Millisecond)
				}
				time.Sleep(time.Minute)
				if err := r.agrees(s); err != nil {
					t.Errorf("cut at %d: %v", cutAt, err)
				}
				r.finish(t)
			})
		}
	}
}

// TestRun_DeliversFramesWithoutTheFeed follows a healthy server.
func TestRun_DeliversFramesWithoutTheFeed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		time.Sleep(time.Second)
		if s.count(&s.asked) != 1 || r.way() != follow.Live {
			t.Errorf("%d requests and %s at the start, want one for the position", s.count(&s.asked), r.way())
		}
		for n := range 20 {
			begun := time.Now()
			s.send(s.frame(false, s.change(kinds[n%len(kinds)])))
			synctest.Wait()
			if err := r.agrees(s); err != nil || time.Since(begun) != 0 {
				t.Fatalf("change %d after %v: %v", n, time.Since(begun), err)
			}
		}
		if s.count(&s.asked) != 1 {
			t.Errorf("%d requests for frames that arrived", s.count(&s.asked)-1)
		}
		r.finish(t)
	})
}

// TestRun_WaitsBeforeItAsksForAHole reorders two frames, and loses one.
func TestRun_WaitsBeforeItAsksForAHole(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		time.Sleep(time.Second)
		first, second := s.frame(false, s.change("message.created")), s.frame(false, s.change("message.edited"))
		s.send(second)
		time.Sleep(499 * time.Millisecond)
		s.send(first)
		synctest.Wait()
		if err := r.agrees(s); err != nil || s.count(&s.asked) != 1 {
			t.Errorf("after late frames: %d requests, %v", s.count(&s.asked)-1, err)
		}
		s.change("message.created")
		s.send(s.frame(false, s.change("message.edited")))
		time.Sleep(499 * time.Millisecond)
		if s.count(&s.asked) != 1 {
			t.Errorf("the feed is asked before the hole is 500 ms old")
		}
		time.Sleep(2 * time.Millisecond)
		if err := r.agrees(s); err != nil || s.count(&s.asked) != 2 {
			t.Errorf("after a lost frame: %d requests, %v", s.count(&s.asked)-1, err)
		}
		s.send(s.frame(true, s.change("message.created")))
		synctest.Wait()
		if err := r.agrees(s); err != nil || s.count(&s.asked) != 3 {
			t.Errorf("after a frame without its message: %d requests, %v", s.count(&s.asked)-2, err)
		}
		r.finish(t)
	})
}

// TestRun_EndsWhenTheTokenIsRefused connects to a server that refuses it.
func TestRun_EndsWhenTheTokenIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		for range 3 {
			s.answers = append(s.answers, 401)
		}
		r.start(1, socketAddress)
		time.Sleep(time.Minute)
		select {
		case err := <-r.done:
			token, _ := freshToken(t.Context())
			if !strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), token) {
				t.Errorf("ended with %v", err)
			}
		default:
			t.Error("the reader continues")
			r.finish(t)
		}
	})
}
