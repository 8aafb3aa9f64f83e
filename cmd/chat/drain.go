package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// connTracker tracks the connections with a running request.
type connTracker struct {
	mu    sync.Mutex
	conns map[net.Conn]bool
}

// track is a server's ConnState hook.
func (t *connTracker) track(c net.Conn, state http.ConnState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if state == http.StateActive {
		t.conns[c] = true
		return
	}
	delete(t.conns, c)
}

func (t *connTracker) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.conns)
}

// trackConns tracks the connections of a server.
func trackConns(server *http.Server) *connTracker {
	t := &connTracker{conns: map[net.Conn]bool{}}
	server.ConnState = t.track
	return t
}

// drain shuts a server down. After timeout it closes the connections that still have a request,
// for example because the client stopped sending. That is not an error, because none of these
// requests was acknowledged. drain logs their number.
func (t *connTracker) drain(server *http.Server, log *slog.Logger, timeout time.Duration) error {
	log.Info("shutting down", "requests", t.count())
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	err := server.Shutdown(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	log.Warn("requests were cut off", "requests", t.count())
	return server.Close()
}
