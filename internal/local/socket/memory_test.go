package socket_test

import (
	"context"
	"net"
	"net/http"
	"testing"

	"example.com/parley/internal/local/socket"
)

// serveInMemory starts a gateway whose connections are in memory, so that a test in a bubble of
// synctest can use them. They have no buffers.
func serveInMemory(t *testing.T, change ...func(*socket.Config)) *api {
	t.Helper()
	a := newAPI(t, change...)
	s := signer
	s.Clock = a.clock
	a.url, a.management = "http://gateway", "http://management"
	listeners := map[string]wires{"gateway:80": make(wires), "management:80": make(wires)}
	servers := map[string]*http.Server{"gateway:80": {Handler: a.Gateway}, "management:80": {Handler: socket.NewManagement(a.Gateway, s)}}
	clients := a.Prepare(servers["gateway:80"], listeners["gateway:80"])
	go func() { _ = servers["gateway:80"].Serve(clients) }()
	go func() { _ = servers["management:80"].Serve(listeners["management:80"]) }()
	transport := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		here, there := net.Pipe()
		listeners[address] <- there
		return here, nil
	}}
	a.client, a.network = &http.Client{Transport: transport}, &http.Client{Transport: transport}
	t.Cleanup(func() {
		a.stop(t)
		transport.CloseIdleConnections()
		for _, server := range servers {
			_ = server.Close()
		}
	})
	return a
}

// wires is a listener of connections in memory.
type wires chan net.Conn

func (w wires) Accept() (net.Conn, error) {
	conn, ok := <-w
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (w wires) Close() error   { close(w); return nil }
func (w wires) Addr() net.Addr { return &net.UnixAddr{} }
