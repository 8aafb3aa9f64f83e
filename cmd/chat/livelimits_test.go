package main

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestServe_FollowersResumeAtTheLimits follows a room beyond the age at which the service ends
// every connection. The server runs within the test, so that its connections' clock can be moved.
func TestServe_FollowersResumeAtTheLimits(t *testing.T) {
	t.Parallel()
	var moved atomic.Int64
	c := serveCmd{
		data: data{Data: dataDir(t)}, SendRate: 1000, RoomCreators: "everyone", Directory: "everyone", NameClaim: "username", LogLevel: "error",
		Addr: freeAddress(t), socketClock: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) },
	}
	i, err := openIssuer(c.Data)
	if err != nil {
		t.Fatal(err)
	}
	serving, stopServer := context.WithCancel(t.Context())
	served := make(chan error, 1)
	logs := &lockedBuffer{}
	go func() { served <- c.Run(serving, streams{Out: &lockedBuffer{}, Err: logs}) }()
	url, owner := "http://"+c.Addr, signs(t, i, "amsg", time.Hour)
	awaitServer(t, url)
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
	if err := <-served; err != nil {
		t.Errorf("%v\n%s", err, logs)
	}
}

// freeAddress returns an address that is free at the moment.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// awaitServer waits until a server answers.
func awaitServer(t *testing.T, url string) {
	t.Helper()
	for range int(readyTime / pollInterval) {
		if status, _, err := call(t.Context(), http.MethodGet, url+"/openapi.json", "", ""); err == nil && status == http.StatusOK {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Fatal("the server is not ready")
}
