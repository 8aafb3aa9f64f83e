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

// busy counts the connections on which a request is under way.
type busy struct {
	mu    sync.Mutex
	conns map[net.Conn]bool
}

// note is a server's ConnState.
func (b *busy) note(c net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if state == http.StateActive {
		b.conns[c] = true
		return
	}
	delete(b.conns, c)
}

func (b *busy) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.conns)
}

// watched makes a server tell which of its connections are busy.
func watched(server *http.Server) *busy {
	b := &busy{conns: map[net.Conn]bool{}}
	server.ConnState = b.note
	return b
}

// drain ends a server. Requests under way get until patience is over; what is left
// then, such as a body whose sender has fallen silent, is cut off and counted in the
// log, which is no failure: nothing of it was acknowledged.
func (b *busy) drain(server *http.Server, log *slog.Logger, patience time.Duration) error {
	log.Info("ending", "requests", b.count())
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := server.Shutdown(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	log.Warn("requests were cut off", "requests", b.count())
	return server.Close()
}
