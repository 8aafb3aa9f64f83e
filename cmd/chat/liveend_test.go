package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

const (
	// maxAfterEnd limits how long after the end of a right a message may be posted and still
	// appear in a frame. The frame may arrive later.
	maxAfterEnd = 5 * time.Second
	// postPause is the pause between the messages of a room, and silence is the time for ten more of
	// them after maxAfterEnd.
	postPause = 150 * time.Millisecond
	silence   = 10 * postPause
	// shortLife is the lifetime of a token that expires. It is enough for a slow machine to
	// connect and see frames.
	shortLife = 20 * time.Second
)

// TestServe_FramesEndWithTheRight ends a person's right to read a room while messages are posted,
// and watches for frames.
func TestServe_FramesEndWithTheRight(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	i, err := openIssuer(dir)
	if err != nil {
		t.Fatal(err)
	}
	owner, bob := signs(t, i, "amsg", time.Hour), signs(t, i, "bob", time.Hour)
	var expires time.Time
	brief := func() string {
		expires = time.Now().Add(shortLife)
		return signs(t, i, "bob", shortLife)()
	}
	cases := map[string]struct {
		private bool
		token   func() string
		end     func(room string)
	}{
		"a removal": {true, bob, func(room string) {
			mustCall(t, 204, "DELETE", s.url+"/rooms/"+room+"/members/bob", owner(), "")
		}},
		"leaving": {true, bob, func(room string) { mustCall(t, 204, "DELETE", s.url+"/rooms/"+room+"/members/me", bob(), "") }},
		"a ban of a member": {false, bob, func(room string) {
			mustCall(t, 201, "PUT", s.url+"/rooms/"+room+"/members/me", bob(), `{"role":"member"}`)
			mustCall(t, 200, "PUT", s.url+"/rooms/"+room+"/members/bob", owner(), `{"role":"banned"}`)
		}},
		"a ban of a reader": {false, bob, func(room string) {
			mustCall(t, 201, "PUT", s.url+"/rooms/"+room+"/members/bob", owner(), `{"role":"banned"}`)
		}},
		"the room's deletion": {false, bob, func(room string) { mustCall(t, 204, "DELETE", s.url+"/rooms/"+room, owner(), "") }},
		"the token's end":     {false, brief, func(string) { time.Sleep(time.Until(expires)) }},
	}
	var all sync.WaitGroup // more than the number of concurrent tests
	for name, c := range cases {
		room := newRoom(t, s.url, owner(), c.private)
		w := watch(t, s.url, room, c.token())
		all.Go(func() {
			posting, stop := context.WithCancel(t.Context())
			defer stop()
			go postUntil(posting, s.url, room, owner())
			for range int(readyTime / pollInterval) {
				if !w.newest().IsZero() {
					break
				}
				time.Sleep(pollInterval)
			}
			before := w.newest()
			c.end(room)
			end := time.Now()
			time.Sleep(maxAfterEnd + silence)
			after := w.newest().Sub(end)
			t.Logf("%s: the last message posted %v after the end", name, after)
			if before.IsZero() || after > maxAfterEnd {
				t.Errorf("%s: a message before the end: %v, the last one posted %v after it", name, !before.IsZero(), after)
			}
		})
	}
	all.Wait()
}

// newRoom creates a room with bob as a member.
func newRoom(t *testing.T, url, owner string, private bool) string {
	t.Helper()
	if !private {
		room := fmt.Sprintf("room-%d", time.Now().UnixNano())
		mustCall(t, 201, "PUT", url+"/rooms/"+room, owner, "{}")
		return room
	}
	var made struct {
		ID string `json:"id"`
	}
	text := mustCall(t, 201, "POST", url+"/rooms", owner, `{"name":"Team","visibility":"private"}`)
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.ID == "" {
		t.Fatal(text, err)
	}
	mustCall(t, 201, "PUT", url+"/rooms/"+made.ID+"/members/bob", owner, `{"role":"member"}`)
	return made.ID
}

// postUntil posts messages with their times until ctx ends. Posts to a room that was deleted are refused.
func postUntil(ctx context.Context, url, room, token string) {
	for ctx.Err() == nil {
		_, _, _ = call(ctx, http.MethodPost, url+"/rooms/"+room+"/messages", token, fmt.Sprintf(`{"text":%q}`, time.Now().Format(time.RFC3339Nano)))
		time.Sleep(postPause)
	}
}

// watcher records the messages in a room's frames over one connection.
type watcher struct {
	mu   sync.Mutex
	last time.Time
}

// newest returns when the newest message was posted, or zero.
func (w *watcher) newest() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last
}

// take records the messages in a frame.
func (w *watcher) take(f liveFrame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, room := range f.Rooms {
		for _, c := range room.Changes {
			if c.Message == nil {
				continue
			}
			if at, err := time.Parse(time.RFC3339Nano, c.Message.Text); err == nil {
				w.last = at
			}
		}
	}
}

// watch subscribes to a room.
func watch(t *testing.T, url, room, token string) *watcher {
	t.Helper()
	ws, _, err := dialSocket(t, url+socketPath, token, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"hello","id":"h","rooms":[{"id":%q}]}`, room)); err != nil {
		t.Fatal(err)
	}
	w := &watcher{}
	go func() {
		for {
			_, text, err := ws.Read(context.Background())
			if err != nil {
				return
			}
			var frame liveFrame
			if json.Unmarshal(text, &frame) == nil && frame.Type == "changes" {
				w.take(frame)
			}
		}
	}()
	return w
}
