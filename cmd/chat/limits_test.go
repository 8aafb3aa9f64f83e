package main

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestServe_FollowersResumeAtTheLimits follows a room beyond the age at which the service ends
// every connection. The server runs within the test, so that the connections' clock can be moved.
func TestServe_FollowersResumeAtTheLimits(t *testing.T) {
	t.Parallel()
	var moved atomic.Int64
	c := serveCmd{
		data: data{Data: dataDir(t)}, SendRate: 1000, RoomCreators: "everyone", Directory: "everyone", NameClaim: "username", LogLevel: "error",
		socketClock: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) },
	}
	i, err := openIssuer(c.Data)
	if err != nil {
		t.Fatal(err)
	}
	url, stopServer := serveWithin(t, c)
	owner := signs(t, i, "amsg", time.Hour)
	mustCall(t, 201, "PUT", url+"/rooms/seattle", owner(), "{}")

	ctx, end := context.WithCancel(t.Context())
	f := &follower{t: t, url: url, room: "seattle", token: owner, steady: true}
	p := &poster{url: newCutter(t, url), room: "seattle", token: owner(), pause: 2 * pollInterval}
	posting, stop := context.WithCancel(t.Context())
	var posts, follows sync.WaitGroup
	follows.Go(func() { f.run(ctx) })
	posts.Go(func() { p.run(t, posting) })
	idle, _, err := dialSocket(t, url+socketPath, owner(), "")
	if err != nil {
		t.Fatal(err)
	}
	f.await(t, func() bool { return f.frames > 0 })
	silent, _, err := dialSocket(t, url+socketPath, owner(), "")
	if err != nil {
		t.Fatal(err)
	}
	wait, cancel := context.WithTimeout(t.Context(), readyTime)
	defer cancel()
	moved.Add(int64(helloTime))
	if _, _, err := silent.Read(wait); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("a connection that never says hello ends with %v", err)
	}
	moved.Add(int64(10*time.Minute - helloTime))
	if _, _, err := idle.Read(wait); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("an idle connection ends with %v", err)
	}
	sessions, frames := 0, 0
	f.await(t, func() bool { sessions = f.sessions; return true })
	moved.Add(int64(2 * time.Hour))
	f.await(t, func() bool { frames = max(frames, f.frames); return f.sessions > sessions })
	f.await(t, func() bool { return f.frames > frames+5 && f.frames >= len(f.seen)/2 })
	stop()
	posts.Wait()
	f.wantFeed(t, url+"/rooms/seattle/changes", owner(), p.texts)
	end()
	follows.Wait()
	t.Logf("%d changes, %d first in frames, over %d connections", len(f.seen), f.frames, f.sessions)
	stopServer()
}

// serveWithin starts a server within the test, on a free port. It returns its address, and a function
// that stops it.
func serveWithin(t *testing.T, c serveCmd) (url string, stop func()) {
	t.Helper()
	c.Addr = "127.0.0.1:0"
	ctx, end := context.WithCancel(t.Context())
	s := &server{out: &lockedBuffer{}, logs: &lockedBuffer{}, done: make(chan error, 1)}
	go func() { s.done <- c.Run(ctx, streams{Out: s.out, Err: s.logs}) }()
	return strings.Fields(s.line(t, "ready "))[0], func() {
		end()
		if err := <-s.done; err != nil {
			t.Errorf("%v\n%s", err, s.logs)
		}
	}
}

// TestServe_LimitsItsTables posts faster than the tables of a server allow. Some messages are refused
// for a while, and every one is stored by a retry.
func TestServe_LimitsItsTables(t *testing.T) {
	t.Parallel()
	const posts, atOnce = 40, 40 // 80 units, of which 20 are available immediately and 20 each second
	dir := dataDir(t)
	s := serve(t, dir, "--table-writes", "20", "--send-rate", "1000")
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, `{"shards":1}`)
	var mu sync.Mutex
	refused, due := 0, make(chan struct{}, posts)
	for range posts {
		due <- struct{}{}
	}
	close(due)
	deadline := time.Now().Add(time.Minute)
	var work sync.WaitGroup
	for range atOnce {
		work.Go(func() {
			for range due {
				for posted := false; !posted; {
					status, text, err := call(t.Context(), "POST", s.url+"/rooms/seattle/messages", token, `{"text":"hello"}`)
					switch {
					case err == nil && status == 201:
						posted = true
					case err != nil || status != 503 || !strings.Contains(text, `"retryable":true`) || time.Now().After(deadline):
						t.Errorf("%d %s, %v", status, text, err)
						return
					default:
						mu.Lock()
						refused++
						mu.Unlock()
					}
				}
			}
		})
	}
	work.Wait()
	if refused == 0 {
		t.Error("no message was refused")
	}
}
