package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"example.com/parley/internal/config"
	"example.com/parley/internal/local/engine"
)

// elsewhere is the advice for a server that finds its address or folder in use.
const elsewhere = "stop it with Ctrl-C, or choose another address and folder: chat serve --addr host:port --data " +
	"DIR, or make run ADDR=host:port DATA=DIR"

// listen listens on the address of the API. Its error is one line that says what to do.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use; if Parley runs there already, %s", addr, elsewhere)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: choose a port above 1023 with --addr host:port", addr)
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		err = op.Err
	}
	return nil, fmt.Errorf("--addr must be an address of this machine, such as %s: %w", defaultAddr, err)
}

// explain returns the reason for a failed start with this data folder, and what to do. It drops the
// steps that led there. An error of another kind stays as it is.
func (c *serveCmd) explain(err error) error {
	if err == nil {
		return nil
	}
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(err.Error(), part) })
	}
	var inUse *engine.InUseError
	var path *fs.PathError
	switch {
	case errors.As(err, &inUse) && strings.HasPrefix(inUse.What, "folder "):
		return fmt.Errorf("%w: %s", inUse, elsewhere)
	case errors.Is(err, syscall.ENOSPC), has(diskFailures...):
		return fmt.Errorf("folder %s cannot be written: its disk is full or broken", c.Data)
	case has("not a valid SQLite database", "disk image is malformed"):
		return fmt.Errorf(
			"the data in folder %s is damaged: put back a copy of the folder, or choose another one with --data DIR",
			c.Data,
		)
	case errors.As(err, &path) && strings.HasPrefix(path.Path, c.Data):
		return fmt.Errorf("folder %s cannot be used: %w; choose another one with --data DIR", c.Data, path)
	}
	return err
}

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

const (
	// memoryLimit is the heap above which the collector works harder. A thousand connections need
	// 60 MB.
	memoryLimit = 256 << 20
	// memoryPause is the time between two returns of memory. A return takes some milliseconds.
	memoryPause = time.Minute
)

// setCollector sets how much the heap of a server grows before it is collected, unless its
// environment sets it.
func setCollector() {
	if os.Getenv(config.EnvGarbagePercent) == "" {
		debug.SetGCPercent(config.GarbagePercent)
	}
	if os.Getenv(config.EnvMemoryLimit) == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// returnMemory collects garbage, and returns unused memory to the system, each memoryPause. By
// itself the runtime waits for minutes, and meanwhile keeps the heap of the start or of a load.
// The returned function stops this.
func returnMemory(ctx context.Context) (stop func()) {
	return every(ctx, memoryPause, memoryPause, func(context.Context) { debug.FreeOSMemory() })
}

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
