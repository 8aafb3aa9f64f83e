package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var soakTime = flag.Duration("soak", 0, "how long TestServe_SoakGrowsNothing runs; 0 skips it")

const (
	soakClients = 4
	// soakPause is a client's pause between its rounds, which leaves processor time for other
	// tests.
	soakPause = 200 * time.Millisecond
	// soakSamples is the number of samples of a run.
	soakSamples = 60
	// soakLeak is how many connections the seeded leak opens, more than soakFiles.
	soakLeak = 30
)

// TestServe_SoakGrowsNothing runs a server under a bounded load. In the end neither the server nor
// its engine may use more memory or files than after warming up. Every acknowledged message is
// stored once, and the log has no errors. Then clients leave connections open, and the same check
// must notice.
func TestServe_SoakGrowsNothing(t *testing.T) {
	t.Parallel()
	if *soakTime == 0 {
		t.Skip("make soak runs it")
	}
	dir := dataDir(t)
	s := serve(t, dir)
	engine := childOf(t, s.cmd.Process.Pid)
	mustCall(t, 201, "PUT", s.url+"/rooms/soak", tokenOf(t, dir, "soaker-0", "--life", "3h"), `{"shards":2}`)
	l := &soakLoad{t: t, url: s.url, live: s.line(t, "live  "), acknowledged: map[string]bool{}}
	ctx, stop := context.WithTimeout(t.Context(), *soakTime)
	defer stop()
	var clients sync.WaitGroup
	for n := range soakClients {
		token := tokenOf(t, dir, fmt.Sprint("soaker-", n), "--life", "3h")
		clients.Go(func() { l.run(ctx, token) })
	}
	var server, stored []footprint
	for ctx.Err() == nil {
		server, stored = append(server, footprintOf(t, s.cmd.Process.Pid)), append(stored, footprintOf(t, engine))
		time.Sleep(*soakTime / soakSamples)
	}
	clients.Wait()
	t.Logf("server %+v … %+v, engine %+v … %+v, %d messages", server[0], server[len(server)-1], stored[0], stored[len(stored)-1], len(l.acknowledged))
	if grown := whatGrew(server, 0); grown != "" {
		t.Errorf("the server: %s", grown)
	}
	if grown := whatGrew(stored, len(l.acknowledged)); grown != "" {
		t.Errorf("the engine: %s", grown)
	}
	l.wantAll(tokenOf(t, dir, "soaker-0"))
	for line := range strings.Lines(s.logs.String()) {
		if strings.Contains(line, "ERROR") || strings.Contains(line, "panic") {
			t.Errorf("the log has %s", line)
		}
	}
	for range soakLeak {
		if _, _, err := dialSocket(t, l.live, tokenOf(t, dir, fmt.Sprint("leak-", len(server))), ""); err != nil {
			t.Fatal(err)
		}
		server = append(server, footprintOf(t, s.cmd.Process.Pid))
	}
	if whatGrew(server[len(server)-soakLeak:], 0) == "" {
		t.Error("connections that are left open are not noticed")
	}
	if err := s.end(t, syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// soakLoad is what the clients do.
type soakLoad struct {
	t         *testing.T
	url, live string

	mu           sync.Mutex
	acknowledged map[string]bool
}

// run is one client after another, until ctx ends. Each reads, writes, connects and leaves.
func (l *soakLoad) run(ctx context.Context, token string) {
	for round := 0; ctx.Err() == nil; round++ {
		l.do(ctx, token, "POST", "/rooms/soak/messages", fmt.Sprintf(`{"text":"%d %s"}`, round, strings.Repeat("x", 500)))
		l.do(ctx, token, "GET", "/rooms/soak/messages?limit=20", "")
		l.do(ctx, token, "GET", "/rooms/soak/changes?limit=20", "")
		if round%10 == 0 {
			l.do(ctx, token, "PUT", fmt.Sprintf("/rooms/soak/documents/d/parts/p%d", round), `{"text":"part"}`)
			l.connect(ctx, token)
		}
		if round%50 == 49 {
			http.DefaultClient.CloseIdleConnections() // like a client that starts again
		}
		time.Sleep(soakPause)
	}
}

// do sends a request and records an acknowledged message.
func (l *soakLoad) do(ctx context.Context, token, method, path, body string) {
	status, text, err := call(ctx, method, l.url+path, token, body)
	switch {
	case ctx.Err() != nil || status == http.StatusTooManyRequests:
	case err != nil || status >= 500:
		l.t.Errorf("%s %s: %d %s, %v", method, path, status, text, err)
	case method == "POST" && status == http.StatusCreated:
		var m struct{ ID string }
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			l.t.Error(err)
		}
		l.mu.Lock()
		l.acknowledged[m.ID] = true
		l.mu.Unlock()
	}
}

// connect opens a connection and closes it.
func (l *soakLoad) connect(ctx context.Context, token string) {
	ws, _, err := dialSocket(l.t, l.live, token, "")
	if err != nil {
		if ctx.Err() == nil {
			l.t.Errorf("connect: %v", err)
		}
		return
	}
	_ = ws.CloseNow() // like a client that loses its network
}

// wantAll checks that each acknowledged message is listed once.
func (l *soakLoad) wantAll(token string) {
	l.t.Helper()
	listed := map[string]int{}
	for next := ""; ; {
		var page struct {
			Items []struct{ ID string }
			Next  string
		}
		text := mustCall(l.t, 200, "GET", l.url+"/rooms/soak/messages?limit=200"+next, token, "")
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			l.t.Fatal(err)
		}
		for _, m := range page.Items {
			listed[m.ID]++
		}
		if page.Next == "" {
			break
		}
		next = "&cursor=" + page.Next
	}
	for id := range l.acknowledged {
		if listed[id] != 1 {
			l.t.Errorf("the acknowledged message %s is listed %d times", id, listed[id])
		}
	}
	if len(listed) == 0 || len(l.acknowledged) == 0 {
		l.t.Errorf("%d messages are listed, %d are acknowledged", len(listed), len(l.acknowledged))
	}
}

// median returns the median of a measure.
func median(all []footprint, of func(footprint) int) int {
	values := make([]int, len(all))
	for i, f := range all {
		values[i] = of(f)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
