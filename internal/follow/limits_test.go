package follow_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
)

// TestRun_RenewsBeforeTheTokenExpires follows for a day: a connection is renewed with new tokens,
// and replaced before API Gateway's two hours are over. If the server refuses renewals,
// connections are replaced before their tokens expire.
func TestRun_RenewsBeforeTheTokenExpires(t *testing.T) {
	t.Parallel()
	for _, refuses := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, r := world(t)
			s.refusesRenewals = refuses
			r.start(1, socketAddress)
			for range 24 * 4 {
				time.Sleep(15 * time.Minute)
				s.send(s.frame(false, s.change("message.created")))
				synctest.Wait()
				if err := r.agrees(s); err != nil {
					t.Fatal(err)
				}
			}
			s.locked(func() { checkLives(t, s) })
			if s.count(&s.asked) > 2 {
				t.Errorf("the feed is asked %d times without need", s.count(&s.asked))
			}
			r.finish(t)
		})
	}
}

// checkLives checks the connections of a day.
func checkLives(t *testing.T, s *service) {
	t.Helper()
	least, most, connections := 111*time.Minute, 118*time.Minute, 12
	if s.refusesRenewals {
		least, most, connections = tokenLife*84/100, tokenLife*95/100, 25
	}
	if n := len(s.lives); n < connections || n > connections+4 {
		t.Errorf("%d connections of a day have ended, want %d", n, connections)
	}
	if n := len(s.tokens); n < 25 || n > 40 || s.renewals < n-len(s.lives)-1 {
		t.Errorf("%d tokens for %d connections and %d renewals, want more than one an hour", n, len(s.lives)+1, s.renewals)
	}
	for _, life := range s.lives {
		if life < least || life > most {
			t.Errorf("a connection lasted %v, want %v to %v", life, least, most)
		}
	}
	var connected time.Duration
	for _, life := range s.lives {
		connected += life
	}
	for c := range s.conns {
		connected += time.Since(c.begun)
	}
	if connected < 24*time.Hour-time.Second {
		t.Errorf("the renewals of a day leave no connection for %v", 24*time.Hour-connected)
	}
}

// TestRun_SameTokenRenewsNothing follows with a source of one token: the connection is replaced.
func TestRun_SameTokenRenewsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		token, err := freshToken(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.api, err = client.New("http://127.0.0.1", client.Fixed(token), r.http.Transport); err != nil {
			t.Fatal(err)
		}
		r.start(1, socketAddress)
		time.Sleep(tokenLife * 96 / 100)
		s.locked(func() {
			if s.renewals > 0 || len(s.lives) == 0 {
				t.Errorf("%d renewals, %d connections have ended", s.renewals, len(s.lives))
			}
		})
		r.finish(t)
	})
}

// TestRun_PollsWithoutASocket follows a server that has none, one that refuses the handshake after
// a while, and one that ends each connection.
func TestRun_PollsWithoutASocket(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		address string
		refuse  int
		cutAt   int
	}{
		"no address": {}, "refused": {socketAddress, 1 << 30, 0}, "ended": {socketAddress, 0, 1 << 20},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, r := world(t)
			r.start(1, tt.address)
			time.Sleep(time.Minute)
			s.locked(func() { s.refuse = tt.refuse })
			s.cut()
			for range 10 {
				for range 10 {
					time.Sleep(time.Second)
					if tt.cutAt > 0 {
						s.cut()
					}
				}
				s.change("message.created")
			}
			for range 10 {
				time.Sleep(500 * time.Millisecond)
				if tt.cutAt > 0 {
					s.cut()
				}
			}
			if err := r.agrees(s); err != nil || tt.cutAt == 0 && r.way() != follow.Polling {
				t.Errorf("%s: %s, %v", name, r.way(), err)
			}
			dials := s.count(&s.dials)
			time.Sleep(10 * time.Minute)
			if n := s.count(&s.dials) - dials; tt.refuse > 0 && (n < 30 || n > 120) {
				t.Errorf("%s: %d attempts to connect in ten minutes", name, n)
			}
			s.heal()
			time.Sleep(time.Minute)
			if tt.address != "" && r.way() != follow.Live {
				t.Errorf("%s: %s in the end", name, r.way())
			}
			r.finish(t)
		})
	}
}

// TestRun_ReturnsAtOnceToASteadyServer cuts connections that have lasted a minute each.
func TestRun_ReturnsAtOnceToASteadyServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		for n := range 20 {
			time.Sleep(time.Minute)
			s.cut()
			time.Sleep(time.Second)
			if s.count(&s.dials) != n+2 {
				t.Fatalf("%d connections after %d cuts", s.count(&s.dials), n+1)
			}
		}
		time.Sleep(time.Minute)
		s.cut("too-many-connections")
		time.Sleep(2 * time.Second)
		if s.count(&s.dials) != 21 {
			t.Error("a reader that is one too many returns within 2 s")
		}
		r.finish(t)
	})
}

// TestRun_ClosesOnTheLastFrame sends the reason for an end and leaves the connection open. The
// client closes it and dials again.
func TestRun_ClosesOnTheLastFrame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		time.Sleep(time.Minute)
		s.send(encoded(map[string]string{"type": "closing", "reason": "expired"}))
		time.Sleep(time.Minute)
		s.locked(func() {
			if s.dials != 2 || len(s.lives) != 1 || s.lives[0] != time.Minute {
				t.Errorf("%d connections, of which ended after %v", s.dials, s.lives)
			}
		})
		r.finish(t)
	})
}

// TestRun_SyncFindsWhatWasLost loses the last frame, then the subscription.
func TestRun_SyncFindsWhatWasLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		time.Sleep(time.Second)
		s.change("message.created")
		time.Sleep(8*time.Minute + time.Second)
		if err := r.agrees(s); err != nil {
			t.Errorf("a lost frame: %v", err)
		}
		s.locked(func() {
			s.forget = true
			for c := range s.conns {
				c.subscribed = false
			}
		})
		s.change("message.created")
		time.Sleep(8 * time.Minute)
		if err := r.agrees(s); err != nil {
			t.Errorf("a lost subscription: %v", err)
		}
		s.send(s.frame(false, s.change("message.created")))
		synctest.Wait()
		if err := r.agrees(s); err != nil {
			t.Errorf("after the subscription is made again: %v", err)
		}
		r.finish(t)
	})
}

func TestRun_ReportsARemovalAndEnds(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]func(*service){
		"a frame":        func(s *service) { s.send(encoded(map[string]string{"type": "unsubscribed", "room": "seattle"})) },
		"the next hello": func(s *service) { s.locked(func() { s.hidden = true }); s.cut() },
		"a poll":         func(s *service) { s.locked(func() { s.hidden, s.refuse = true, 1000 }); s.cut() },
	} {
		synctest.Test(t, func(t *testing.T) {
			s, r := world(t)
			r.start(1, socketAddress)
			time.Sleep(time.Minute)
			hide(s)
			time.Sleep(10 * time.Second)
			select {
			case err := <-r.done:
				if !errors.Is(err, follow.ErrNoRooms) || !r.removed {
					t.Errorf("%s: removed %v, ended with %v", name, r.removed, err)
				}
			default:
				t.Errorf("%s: the reader continues", name)
				r.finish(t)
			}
		})
	}
}

// TestRun_ReloadsAfterAReset restores the table while a change waits for the one before it.
func TestRun_ReloadsAfterAReset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		r.start(1, socketAddress)
		time.Sleep(time.Minute)
		for range 2 {
			s.change("message.created")
		}
		s.send(s.frame(false, s.change("message.created")))
		s.restore()
		for range 2 {
			s.change("message.created")
		}
		time.Sleep(time.Second)
		s.change("message.created")
		time.Sleep(8 * time.Minute)
		if err := r.agrees(s); err != nil || r.count(&r.reloads) != 1 {
			t.Errorf("%d reloads, %v", r.count(&r.reloads), err)
		}
		s.restore()
		s.cut()
		time.Sleep(time.Second)
		if err := r.agrees(s); err != nil || r.count(&r.reloads) != 2 {
			t.Errorf("%d reloads, %v", r.count(&r.reloads), err)
		}
		for range 3 {
			s.send(s.frame(false, s.change("message.created")))
		}
		s.restore()
		for range 3 {
			s.change("message.created")
		}
		time.Sleep(9 * time.Minute) // the next sync shows the same number of another feed
		if err := r.agrees(s); err != nil || r.count(&r.reloads) != 3 {
			t.Errorf("%d reloads, %v", r.count(&r.reloads), err)
		}
		r.finish(t)
	})
}

// TestRun_ReadsALongAbsenceWithoutPauses returns to many pages and a busy server.
func TestRun_ReadsALongAbsenceWithoutPauses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, r := world(t)
		for n := range 300 {
			s.change(kinds[n%len(kinds)])
		}
		r.start(1, socketAddress)
		synctest.Wait()
		if err := r.agrees(s); err != nil {
			t.Error(err)
		}
		for n := range 5 { // a refused token now and then is a token that has expired
			s.locked(func() { s.answers = []int{401, 401} })
			s.change("message.created")
			s.cut()
			time.Sleep(time.Minute)
			if err := r.agrees(s); err != nil {
				t.Fatalf("after %d pairs of refusals: %v", n+1, err)
			}
		}
		s.locked(func() { s.answers = []int{429} })
		s.change("message.created")
		s.cut()
		asked := s.count(&s.asked)
		time.Sleep(2 * time.Second)
		if s.count(&s.asked) != asked+1 {
			t.Errorf("%d requests within the time of Retry-After", s.count(&s.asked)-asked)
		}
		time.Sleep(2 * time.Second)
		if err := r.agrees(s); err != nil {
			t.Error(err)
		}
		r.finish(t)
	})
}

func TestRun_SendsTokensOnlyWhereTheyAreSafe(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"ws://chat.example.com/ws", "http://127.0.0.1/ws", "seattle", "wss://"} {
		if err := follow.Run(t.Context(), follow.Config{Socket: address}); err == nil {
			t.Errorf("%s is accepted", address)
		}
	}
	for base, want := range map[string]string{"http://127.0.0.1:8080": "ws://127.0.0.1:8080/ws", "https://chat.example.com/v1/": "wss://chat.example.com/v1/ws"} {
		if got := follow.SocketAddress(base); got != want {
			t.Errorf("the socket of %s is %s, want %s", base, got, want)
		}
	}
}
