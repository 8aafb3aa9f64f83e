package apigw_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/apigw"
	"example.com/parley/internal/live"
)

// wires is an in-memory listener. Its connections need no network, so a bubble of synctest knows
// when they are idle.
type wires struct {
	accepted chan net.Conn
	dials    atomic.Int32
}

func (w *wires) Accept() (net.Conn, error) {
	conn, ok := <-w.accepted
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (w *wires) Close() error   { close(w.accepted); return nil }
func (w *wires) Addr() net.Addr { return &net.UnixAddr{} }

// dial connects to the listener.
func (w *wires) dial(context.Context, string, string) (net.Conn, error) {
	w.dials.Add(1)
	here, there := net.Pipe()
	w.accepted <- there
	return here, nil
}

// withService runs test in a bubble, with a client of an in-memory service.
func withService(t *testing.T, service http.HandlerFunc, test func(*testing.T, *apigw.Client, *wires)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &wires{accepted: make(chan net.Conn)}
		server := &http.Server{Handler: service, ErrorLog: log.New(io.Discard, "", 0)} // the faults of the tests
		go func() { _ = server.Serve(w) }()
		c, err := apigw.New(apigw.Config{Endpoint: "http://service", Credentials: keys, Rand: func() float64 { return 0 }, Dial: w.dial})
		if err != nil {
			t.Fatal(err)
		}
		test(t, c, w)
		c.CloseIdle()
		_ = server.Close()
	})
}

// TestPost_FaultsOnTheWire makes the service hang and cut connections.
func TestPost_FaultsOnTheWire(t *testing.T) {
	t.Parallel()
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	hang := func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice the end of a connection
		<-r.Context().Done()
	}
	for name, tt := range map[string]struct {
		fault http.HandlerFunc
		times int32 // that the fault strikes
		want  error
		takes time.Duration
	}{
		"cut once":  {cut, 1, nil, 0},
		"cut":       {cut, 2, live.ErrBusy, 0},
		"hang once": {hang, 1, live.ErrBusy, apigw.DefaultTimeout},
		"hang":      {hang, 2, live.ErrBusy, apigw.DefaultTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			withService(t, func(w http.ResponseWriter, r *http.Request) {
				if calls.Add(1) <= tt.times {
					tt.fault(w, r)
				}
			}, func(t *testing.T, c *apigw.Client, _ *wires) {
				began := time.Now()
				err := c.Post(t.Context(), connection, []byte("frame"))
				if took := time.Since(began); !errors.Is(err, tt.want) || took != tt.takes {
					t.Errorf("%v after %v, want %v after %v", err, took, tt.want, tt.takes)
				}
			})
		})
	}
}

// TestPost_ReusesConnections counts the connections of many posts.
func TestPost_ReusesConnections(t *testing.T) {
	t.Parallel()
	const workers = 8
	withService(t, func(http.ResponseWriter, *http.Request) {}, func(t *testing.T, c *apigw.Client, w *wires) {
		for range 20 {
			var posts sync.WaitGroup
			for range workers {
				posts.Go(func() { _ = c.Post(t.Context(), connection, []byte("frame")) })
			}
			posts.Wait()
			synctest.Wait() // until the connections are idle
		}
		if n := w.dials.Load(); n > workers {
			t.Errorf("%d connections for %d workers", n, workers)
		}
	})
}
