package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/parley/internal/config"
)

// sendPartialRequest sends a request whose body never ends, and waits until it is read.
func sendPartialRequest(t *testing.T, address, path, token string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{", path, token)
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
		t.Fatalf("the request is answered with %q, %v", line, err)
	}
}

// The connections of requests that do not end are closed, which is not an error.
func TestConnTracker_DrainClosesOpenRequests(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	reading := make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(reading)
		_, _ = io.ReadAll(r.Body)
	})}
	conns := trackConns(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	sendPartialRequest(t, listener.Addr().String(), "/", "")
	<-reading
	logs := &lockedBuffer{}
	if err := conns.drain(server, slog.New(slog.NewTextHandler(logs, nil)), time.Millisecond); err != nil {
		t.Errorf("drain: %v", err)
	}
	if !strings.Contains(logs.String(), `msg="requests were cut off" requests=1`) {
		t.Errorf("log:\n%s", logs)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

func TestServe_SecondSignalKills(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	address := strings.TrimPrefix(s.url, "http://")
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	sendPartialRequest(t, address, "/rooms/seattle/messages", token)
	// The signals are repeated, because the test cannot know when the first one was received.
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-s.done:
			var ended *exec.ExitError
			if !errors.As(err, &ended) || ended.Exited() {
				t.Errorf("exited with %v, want a kill by the signal\n%s", err, s.logs)
			}
			return
		case <-ticker.C:
			_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have exited; a shell's jobs ignore interrupts
		}
	}
}

func TestAnnounce_LinesCanBePasted(t *testing.T) {
	t.Parallel()
	for ip, want := range map[string]string{
		"0.0.0.0": "localhost:8080", "::": "localhost:8080", "127.0.0.1": "127.0.0.1:8080", "::1": "[::1]:8080",
	} {
		if got := reachable(&net.TCPAddr{IP: net.ParseIP(ip), Port: 8080}); got != want {
			t.Errorf("address of a listener on %s is %s, want %s", ip, got, want)
		}
	}
	dir := dataDir(t) + " with a 'quote'"
	s := serve(t, dir)
	line := s.line(t, "token ")
	out, err := exec.Command("sh", "-c", asCommand+"=1 "+line).Output()
	if err != nil || strings.Count(string(out), ".") != 2 {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", strings.TrimSpace(string(out)), "{}")
}

func TestTokenCmd_ReportsANewKey(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for _, want := range []bool{true, false} {
		cmd := command(t, "token", "--data", dir, "--user", "amsg")
		errs := &strings.Builder{}
		cmd.Stderr = errs
		if _, err := cmd.Output(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(errs.String(), "created a new key, "+dir); got != want {
			t.Errorf("reported %v, want %v: %s", got, want, errs)
		}
	}
}

// TestServe_SetsTheCollector starts servers that refuse their flags. It changes process-wide
// settings, so it is not parallel.
func TestServe_SetsTheCollector(t *testing.T) {
	const before = 150
	for _, c := range []struct {
		percent, limit string
		wantPercent    int
		wantLimit      int64
	}{
		{"", "", config.GarbagePercent, memoryLimit},
		{"300", "100MiB", before, math.MaxInt64},
	} {
		t.Setenv(config.EnvGarbagePercent, c.percent)
		t.Setenv(config.EnvMemoryLimit, c.limit)
		percent, limit := debug.SetGCPercent(before), debug.SetMemoryLimit(math.MaxInt64)
		err := (&serveCmd{}).Run(t.Context(), streams{})
		gotPercent, gotLimit := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
		if err == nil || gotPercent != c.wantPercent || gotLimit != c.wantLimit {
			t.Errorf("with %q and %q: %d, %d, %v", c.percent, c.limit, gotPercent, gotLimit, err)
		}
	}
}

// TestAnnounce_TokenOnATerminalAlone announces one running server in every way. The printed
// request is run unchanged.
func TestAnnounce_TokenOnATerminalAlone(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	if all := s.out.String() + s.logs.String(); strings.Contains(all, "Bearer") || strings.Contains(all, "eyJ") {
		t.Errorf("a server whose output is no terminal prints a token:\n%s", all)
	}
	addr, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	everywhere := *addr
	everywhere.IP = net.IPv4zero
	for _, tt := range []struct {
		name     string
		issuer   string
		addr     *net.TCPAddr
		terminal bool
		want     bool // the token
		second   bool // the second person
	}{
		{"on a terminal", "", addr, true, true, true},
		{"in a file", "", addr, false, false, true},
		{"for other machines", "", &everywhere, true, false, false},
		{"with another issuer", "https://issuer.example.com", addr, true, false, false},
	} {
		var out bytes.Buffer
		c := serveCmd{data: data{Data: dir}, Issuer: tt.issuer}
		if err := c.announce(&out, tt.addr, "engine", tt.terminal); err != nil {
			t.Fatal(err)
		}
		second := "\nbob   " + s.url + "/#as=bob ("
		if page := "\npage  http://"; strings.Count(out.String(), page) != 1 || strings.Contains(out.String(), second) != tt.second {
			t.Errorf("%s: of the page and a second person it prints\n%s", tt.name, &out)
		}
		_, request, ok := strings.Cut(out.String(), "\ntry   ")
		if ok != tt.want || strings.Contains(out.String(), "Bearer") != tt.want {
			t.Errorf("%s: it prints\n%s", tt.name, &out)
		}
		if !ok {
			continue
		}
		me, err := exec.CommandContext(t.Context(), "sh", "-c", request).CombinedOutput()
		if err != nil || !strings.Contains(string(me), `"user":"amsg"`) {
			t.Errorf("the request answers %s, %v", me, err)
		}
	}
}

// TestServe_ExplainsAFailedStart starts servers that cannot run. Each prints one line with its reason
// and advice, and exits with status 1.
func TestServe_ExplainsAFailedStart(t *testing.T) {
	t.Parallel()
	file, damaged, foreign, later := filepath.Join(t.TempDir(), "file"), t.TempDir(), t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		file: "", filepath.Join(foreign, "engine.db"): strings.Repeat("not a database ", 1000), filepath.Join(later, "format"): "99\n",
		filepath.Join(damaged, "engine.db"): strings.Repeat("not a database ", 1000) + "INDEX _stream_records_in_order TRIGGER _stream_records_trim",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct{ addr, dir, says string }{
		"no port":            {"8080", dataDir(t), "--addr must be an address of this machine, such as 127.0.0.1:8080: "},
		"no number":          {"127.0.0.1:http-", dataDir(t), "--addr must be an address of this machine"},
		"another machine":    {"203.0.113.7:8080", dataDir(t), "--addr must be an address of this machine"},
		"a file as a folder": {"127.0.0.1:0", file, "not a directory; choose another one with --data DIR"},
		"a later version":    {"127.0.0.1:0", later, "has format 99 of a later version of Parley"},
		"a file of others":   {"127.0.0.1:0", foreign, "lacks the index or the trigger of its stream, so another program created it: choose another folder with --data DIR"},
		"a damaged file":     {"127.0.0.1:0", damaged, "is damaged: put back a copy of the folder, or choose another"},
	} {
		out, err := command(t, "serve", "--addr", tt.addr, "--data", tt.dir).CombinedOutput()
		wantLine(t, name, out, err, tt.says)
	}
}

func wantLine(t *testing.T, name string, out []byte, err error, says string) {
	t.Helper()
	exit := &exec.ExitError{}
	text := string(out)
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(text, says) || strings.Count(text, "\n") != 1 {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
}

// TestServe_ExplainsAFullDisk limits the size of the engine's files: first so that the server cannot
// start, then so that it cannot store all messages.
func TestServe_ExplainsAFullDisk(t *testing.T) {
	dir, program := dataDir(t), enginePath(t)
	limitEngine(t, program, "80") // blocks of 512 bytes
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dir).CombinedOutput()
	wantLine(t, "at the start", out, err, "cannot be written: its disk is full or broken")

	limitEngine(t, program, "800")
	s := serve(t, dir) // the failed start has left a folder that can be used
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	const enough = 200 // messages of 3 KB
	status := 0
	for range enough {
		if status, _, err = call(t.Context(), "POST", s.url+"/rooms/seattle/messages", token, `{"text":"`+strings.Repeat("x", 3000)+`"}`); status == 503 {
			break
		}
		time.Sleep(pollInterval)
	}
	if said := s.logs.String(); status != 503 || strings.Count(said, "the disk is full or broken: nothing is stored") != 1 {
		t.Errorf("the last status is %d, %v:\n%s", status, err, said)
	}
}

// enginePath returns the engine's program, as an absolute path.
func enginePath(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("../../node_modules/@dynoxide/*/dynoxide")
	if path := os.Getenv("DYNOXIDE_BIN"); path != "" {
		found = []string{path}
	}
	if err != nil || len(found) == 0 {
		t.Fatalf("the engine is not installed: %v", err)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// limitEngine limits the size of files that the engine may write. Writes beyond it fail.
func limitEngine(t *testing.T, program, blocks string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	script := "#!/bin/sh\ntrap '' XFSZ\nulimit -f " + blocks + "\nexec '" + program + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DYNOXIDE_BIN", path)
}

// TestServe_InterruptedStartEndsQuietly ends the context while the engine starts and the tables are
// created.
func TestServe_InterruptedStartEndsQuietly(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
		ctx, cancel := context.WithCancel(t.Context())
		stop := time.AfterFunc(after, cancel)
		var out, logs lockedBuffer
		if status := run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--data", dataDir(t)}, &out, &logs); status != exitDone || logs.String() != "" {
			t.Errorf("interrupted after %v: status %d\n%s", after, status, logs.String())
		}
		stop.Stop()
		cancel()
	}
}
