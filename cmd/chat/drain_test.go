package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
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
