//go:build deploy

package deploytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// amazon are the suffixes of the names that the emulator serves.
var amazon = []string{".amazonaws.com", ".cloudfront.net"}

// startProxy starts a proxy for commands and returns its address. Names of AWS, which no resolver
// here knows, lead to the emulator; everything else is passed on.
func startProxy(t *testing.T, emulator int) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: tunnel(emulator)}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the proxy ended: %v", err)
		}
	})
	return "http://" + l.Addr().String()
}

// tunnel answers CONNECT requests, the only ones that TLS clients send.
func tunnel(emulator int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "this proxy supports only CONNECT", http.StatusMethodNotAllowed)
			return
		}
		address := r.Host
		if host, _, _ := net.SplitHostPort(r.Host); slices.ContainsFunc(amazon, func(suffix string) bool { return strings.HasSuffix(host, suffix) }) {
			address = fmt.Sprintf("127.0.0.1:%d", emulator)
		}
		if err := join(r.Context(), w, address); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	}
}

// join copies between a client and an address until both have ended.
func join(ctx context.Context, w http.ResponseWriter, address string) error {
	var d net.Dialer
	server, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = server.Close() }()
	w.WriteHeader(http.StatusOK)
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	var copies sync.WaitGroup
	copies.Go(func() { pipe(server, buffered) })
	copies.Go(func() { pipe(client, server) })
	copies.Wait()
	return nil
}

// pipe copies one direction, and then closes it for the other side.
func pipe(to net.Conn, from io.Reader) {
	_, _ = io.Copy(to, from)
	if c, ok := to.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}
