package socket_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/test/race"
)

type response = events.APIGatewayProxyResponse

func TestGateway_EndsOldConnections(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, _ := a.connect(t)
	for range 15 { // 1 h 59 min 45 s
		a.wait(7*time.Minute + 59*time.Second)
		wantEcho(t, ws)
	}
	a.wait(14 * time.Second)
	wantEcho(t, ws)
	a.wait(time.Second)
	wantClose(t, ws, websocket.StatusGoingAway)
	e := a.await(t, "DISCONNECT", 1)
	if e.RequestContext.DisconnectStatusCode != 1001 || *e.RequestContext.DisconnectReason != "Going away" {
		t.Errorf("ended with %d %s", e.RequestContext.DisconnectStatusCode, *e.RequestContext.DisconnectReason)
	}
}

// Messages in either direction keep a connection. Pings do not.
func TestGateway_EndsIdleConnections(t *testing.T) {
	t.Parallel()
	a := serve(t)
	sends, idSends := a.connect(t)
	receives, idReceives := a.connect(t)
	pings, idPings := a.connect(t)
	pings.CloseRead(t.Context())
	a.wait(9 * time.Minute)
	send(t, sends, `{"type":"quiet"}`)
	a.await(t, "MESSAGE", 1)
	a.wantStatus(t, call{method: "POST", id: idReceives, body: "x"}, 200, "")
	if got := receive(t, receives); got != "x" {
		t.Error(got)
	}
	if err := pings.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.wait(59 * time.Second)
	if !a.Has(idPings) {
		t.Error("a connection was ended early")
	}
	a.wait(time.Second)
	if a.Has(idPings) || !a.Has(idSends) || !a.Has(idReceives) {
		t.Errorf("connections that go on: pings %v, sends %v, receives %v", a.Has(idPings), a.Has(idSends), a.Has(idReceives))
	}
	a.await(t, "DISCONNECT", 1)
	a.wait(8 * time.Minute)
	wantEcho(t, sends)
	a.wait(time.Minute)
	wantClose(t, receives, websocket.StatusGoingAway)
	a.await(t, "DISCONNECT", 2)
	wantEcho(t, sends)
}

func TestShutdown_SaysFarewell(t *testing.T) {
	t.Parallel()
	a := serve(t)
	const n = 50
	var clients []*websocket.Conn
	for range n {
		ws, _ := a.connect(t)
		clients = append(clients, ws)
	}
	var wg sync.WaitGroup
	for _, ws := range clients {
		wg.Go(func() {
			if got := receive(t, ws); got != `"farewell"` {
				t.Errorf("the last message is %s", got)
			}
			wantClose(t, ws, websocket.StatusGoingAway)
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), waitTime)
	defer cancel()
	if err := a.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if ended := len(a.all("DISCONNECT")); ended != n {
		t.Errorf("%d of %d ends reached the function before Shutdown returned", ended, n)
	}
	wg.Wait()
	ws, _, err := a.dial(t)
	if err == nil {
		wantClose(t, ws, websocket.StatusGoingAway)
	}
	a.await(t, "DISCONNECT", n+1)
}

// TestShutdown_DoesNotWaitForClients shuts down with a client that neither receives nor answers. It
// is cut off when the context ends.
func TestShutdown_DoesNotWaitForClients(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := serveInMemory(t)
		a.connectRaw(t)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		began := time.Now()
		err := a.Shutdown(ctx)
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != 50*time.Millisecond {
			t.Errorf("%v after %v", err, took)
		}
		if n := len(a.all("DISCONNECT")); n != 1 {
			t.Errorf("%d ends reached the function before Shutdown returned", n)
		}
	})
}

// Half of a connection is enough for nothing: the end of the client's half ends it.
func TestGateway_HalfOpenConnection(t *testing.T) {
	t.Parallel()
	a := serve(t)
	other, _ := a.connect(t)
	half, id := a.connectRaw(t)
	if err := half.Conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if e := a.await(t, "DISCONNECT", 1); e.RequestContext.ConnectionID != id || e.RequestContext.DisconnectStatusCode != 1006 {
		t.Errorf("%+v", e.RequestContext)
	}
	a.wantStatus(t, call{method: "POST", id: id, body: "x"}, 410, "GoneException")
	wantEcho(t, other)
}

// TestGateway_MemoryOfASocket measures the server's part of sockets that have carried messages. The
// test's clients are bare connections, whose buffers count as well.
func TestGateway_MemoryOfASocket(t *testing.T) {
	const most = 30 << 10
	sockets := race.Times(1000, 100) // the race detector makes each of them slow
	a := serve(t)
	before := used()
	text := strings.Repeat("x", 2000)
	for i := range sockets {
		c, id := a.connectRaw(t)
		c.write(frame(final|opText, fmt.Sprintf(`{"type":%q}`, text)))
		c.message(1)
		if status, _, _ := a.do(t, call{method: "POST", id: id, body: text}); status != 200 {
			t.Fatalf("post %d: %d", i, status)
		}
		c.message(1)
	}
	a.mu.Lock()
	a.events, a.authorized = map[string][]event{}, nil
	a.mu.Unlock()
	each := (used() - before) / uint64(sockets)
	t.Logf("%d sockets, %d bytes each", sockets, each)
	if each > most {
		t.Errorf("%d bytes a socket, want at most %d", each, most)
	}
}

// used returns the memory in use for objects and stacks.
func used() uint64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
