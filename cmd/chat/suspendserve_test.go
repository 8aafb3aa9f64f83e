package main

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// suspensionTime is how long a process may use an account that it has read.
const suspensionTime = 5 * time.Second

// TestServe_SuspensionStopsAPerson suspends a person who follows a room while the server runs, by
// a service and by the command. Their connection is closed, no new one begins, and every request
// is refused. Another person notices nothing.
func TestServe_SuspensionStopsAPerson(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	i, err := openIssuer(dir)
	if err != nil {
		t.Fatal(err)
	}
	bob, carl := signs(t, i, "bob", time.Hour), signs(t, i, "carl", time.Hour)
	desk := tokenOf(t, dir, "desk", "--service")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", carl(), "{}")
	suspension := s.url + "/people/bob/suspension"
	for _, by := range []struct {
		name          string
		begin, finish func()
	}{
		{"a service", func() { mustCall(t, 200, "PUT", suspension, desk, `{"reason":"spam"}`) }, func() { mustCall(t, 204, "DELETE", suspension, desk, "") }},
		{"the command", func() { runCommand(t, "suspend", "--data", dir, "bob") }, func() { runCommand(t, "suspend", "--data", dir, "--end", "bob") }},
	} {
		f := &follower{t: t, url: s.url, room: "seattle", token: bob, steady: true}
		other := &follower{t: t, url: s.url, room: "seattle", token: carl, steady: true}
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan struct{})
		var follows sync.WaitGroup
		follows.Go(func() { defer close(ended); _ = f.session(ctx) })
		follows.Go(func() { _ = other.session(ctx) })
		f.await(t, func() bool { return f.sessions == 1 })
		other.await(t, func() bool { return other.sessions == 1 })
		mustCall(t, 200, "GET", s.url+"/rooms/seattle", bob(), "")
		by.begin()
		stale := time.After(suspensionTime)
		select {
		case <-ended:
		case <-time.After(readyTime):
			t.Fatalf("%s: the connection is open\n%s", by.name, s.logs)
		}
		if text := mustCall(t, 403, "POST", s.url+"/rooms/seattle/messages", bob(), `{"text":"x"}`); !strings.Contains(text, "/problems/suspended") {
			t.Errorf("%s: %s", by.name, text)
		}
		<-stale
		mustCall(t, 403, "GET", s.url+"/rooms/seattle", bob(), "")
		if err := f.session(ctx); err == nil || !strings.Contains(err.Error(), "403") {
			t.Errorf("%s: a new connection ends with %v", by.name, err)
		}
		mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", carl(), `{"text":"x"}`)
		other.await(t, func() bool { return len(other.seen) > 0 })
		by.finish()
		mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", bob(), `{"text":"x"}`)
		time.Sleep(suspensionTime) // the process's cached account
		end()
		follows.Wait()
	}
}

// runCommand runs the command, which must succeed.
func runCommand(t *testing.T, args ...string) {
	t.Helper()
	if out, err := command(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
}
