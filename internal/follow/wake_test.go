package follow_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/follow"
)

// quiet is the time after which chat tail asks for the positions of its room.
const quiet = 20 * time.Second

// halve leaves the connections open, and loses whatever is sent over them.
func (s *service) halve() {
	s.locked(func() {
		for c := range s.conns {
			c.dead = true
		}
	})
}

// within checks that the reader agrees with the server after some time.
func within(t *testing.T, s *service, r *reader, d time.Duration, what string) {
	t.Helper()
	time.Sleep(d)
	if err := r.agrees(s); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

func TestRun_NoticesADeadConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.quiet = quiet
		r.start(1, socketAddress)
		time.Sleep(time.Minute)
		s.halve()
		s.change("message.created")
		within(t, s, r, quiet+3*time.Second, "a connection that is half open")
		if n := s.count(&s.dials); n != 2 || r.way() != follow.Live {
			t.Errorf("%d connections, %s", n, r.way())
		}
		s.locked(func() { s.slow = 3 * time.Second })
		time.Sleep(quiet + 10*time.Second)
		s.locked(func() { s.slow = 0 })
		time.Sleep(quiet)
		s.locked(func() {
			if len(s.conns) != 1 || len(s.lives) < 2 {
				t.Errorf("%d connections are open, %d have ended", len(s.conns), len(s.lives))
			}
		})
		s.send(s.frame(false, s.change("message.created")))
		within(t, s, r, time.Millisecond, "a slow connection")
		r.finish(t)
	})
}

func TestRun_SyncsAQuietRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.quiet = quiet
		r.start(1, socketAddress)
		time.Sleep(time.Minute)
		s.change("message.created")
		within(t, s, r, quiet+time.Second, "the last frame is dropped")
		s.send(encoded(map[string]any{"type": "heads", "rooms": []any{map[string]any{"id": "seattle", "head": s.change("message.created")}}}))
		within(t, s, r, time.Second, "the head is reported")
		s.restore()
		for range 5 {
			s.change("message.created")
		}
		within(t, s, r, quiet+time.Second, "the table is restored")
		if r.count(&r.reloads) != 1 || s.count(&s.dials) != 1 {
			t.Errorf("%d reloads, %d connections", r.count(&r.reloads), s.count(&s.dials))
		}
		if n := s.count(&s.synced); n < 4 || n > 8 {
			t.Errorf("%d syncs name the room", n)
		}
		r.finish(t)
	})
}

// TestRun_WakesWithTheMachine lets the machine sleep: its clock jumps, the connection is half open,
// and a request that was under way gets no response.
func TestRun_WakesWithTheMachine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		time.Sleep(time.Minute)
		s.halve()
		s.change("message.created")
		r.ahead.Add(int64(time.Hour / 2))
		within(t, s, r, 10*time.Second, "after a sleep")
		s.locked(func() { s.hang = 1 })
		s.cut() // the position is read again, without an answer
		s.change("message.created")
		time.Sleep(2 * time.Second)
		s.halve()
		r.ahead.Add(int64(time.Hour / 2))
		within(t, s, r, 10*time.Second, "after a sleep with a request")
		s.locked(func() { s.hang = 1 })
		s.cut()
		s.change("message.created")
		within(t, s, r, 20*time.Second, "a request without an answer")
		r.finish(t)
	})
}
