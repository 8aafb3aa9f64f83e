package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"
)

// profilesPath is the path of the profiles, which go tool pprof expects.
const profilesPath = "/debug/pprof/"

// startProfiles serves profiles at the address of --profile, if there is one. It refuses addresses
// that other machines may reach, because nothing checks who asks. The returned function ends that.
func (c *serveCmd) startProfiles(out io.Writer) (stop func(), err error) {
	if c.Profile == "" {
		return func() {}, nil
	}
	addr, err := net.ResolveTCPAddr("tcp", c.Profile)
	if err != nil || !isLoopback(addr) {
		return nil, fmt.Errorf(
			"--profile must be a loopback address, such as 127.0.0.1:6060, not %q: profiles need no token", c.Profile,
		)
	}
	listener, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--profile: %w", err)
	}
	// A profile of the processor takes as long as its client asks, so a response has no time limit.
	server := &http.Server{Handler: profiles(), ReadHeaderTimeout: headerTime}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // until it is closed
	}()
	fmt.Fprintf(out, "pprof http://%s%s\n", listener.Addr(), profilesPath)
	return func() { _ = server.Close(); <-done }, nil
}

// profiles returns the handler of the profiles. It leaves out the command line, which may have
// secrets, and answers no page under a foreign name that resolves to this machine.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+profilesPath, pprof.Index)
	mux.HandleFunc("GET "+profilesPath+"profile", pprof.Profile)
	mux.HandleFunc("GET "+profilesPath+"trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		addr, err := netip.ParseAddrPort(r.Host)
		if local := err == nil && addr.Addr().IsLoopback(); !local && !strings.HasPrefix(r.Host, "localhost:") {
			http.Error(w, "use the address that the server prints", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
