package socket_test

import (
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/local/socket"
)

// TestGateway_ClockSetBackKeepsNoConnectionForever sets the clock back while connections are open.
// They end as long after the step as they would have after their beginning.
func TestGateway_ClockSetBackKeepsNoConnectionForever(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{-time.Second, -time.Hour, -24 * time.Hour} {
		a := serve(t)
		ws, busy := a.connect(t)
		_, idle := a.connect(t)
		a.wait(step)
		wantEcho(t, ws)
		if !a.Has(idle) {
			t.Errorf("a step of %v ends a connection", step)
		}
		for range 2 {
			a.wait(5 * time.Minute)
			wantEcho(t, ws)
		}
		if a.Has(idle) {
			t.Errorf("after a step of %v, an idle connection stays open", step)
		}
		for n := 10; n < 115; n += 7 {
			a.wait(7 * time.Minute)
			wantEcho(t, ws)
		}
		a.wait(5 * time.Minute)
		if a.Has(busy) {
			t.Errorf("after a step of %v, an old connection stays open", step)
		}
	}
}

// TestGateway_ClockSetForthEndsConnectionsAtMost sets the clock forward by an hour and by a day.
// Connections that end may reconnect immediately.
func TestGateway_ClockSetForthEndsConnectionsAtMost(t *testing.T) {
	t.Parallel()
	a := serve(t)
	for _, step := range []time.Duration{time.Second, time.Hour, 24 * time.Hour} {
		a.connect(t)
		a.wait(step)
		ws, id := a.connect(t)
		a.Sweep()
		wantEcho(t, ws)
		if !a.Has(id) {
			t.Errorf("after a step of %v, a new connection is ended", step)
		}
	}
}

// TestGateway_EndsSilentConnections limits the time until a client's first message. What the server
// sends does not count.
func TestGateway_EndsSilentConnections(t *testing.T) {
	t.Parallel()
	a := serve(t, func(c *socket.Config) { c.FirstMessage = 30 * time.Second })
	speaks, idSpeaks := a.connect(t)
	silent, idSilent := a.connect(t)
	wantEcho(t, speaks)
	a.wait(29 * time.Second)
	a.wantStatus(t, call{method: "POST", id: idSilent, body: "x"}, 200, "")
	if got := receive(t, silent); got != "x" {
		t.Error(got)
	}
	if !a.Has(idSilent) {
		t.Error("a silent connection is ended early")
	}
	a.wait(time.Second)
	if a.Has(idSilent) || !a.Has(idSpeaks) {
		t.Errorf("connections that go on: silent %v, speaks %v", a.Has(idSilent), a.Has(idSpeaks))
	}
	a.await(t, "DISCONNECT", 1)
	a.wait(9 * time.Minute)
	wantEcho(t, speaks)
	wantClose(t, silent, websocket.StatusGoingAway)
}
