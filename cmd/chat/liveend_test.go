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
	// maxAfterEnd is how long after the end of a right the last frame may arrive.
	maxAfterEnd = 5 * time.Second
	// postPause is the pause between the messages of a room, and silence is how long there must be
	// no frame: time for ten of them.
	postPause = 150 * time.Millisecond
	silence   = 10 * postPause
	// shortLife is the life of a token that expires, in which a slow machine connects and sees
	// frames.
	shortLife = 10 * time.Second
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
	var all sync.WaitGroup // more than the tests that run at the same time
	for name, c := range cases {
		room := newRoom(t, s.url, owner(), c.private)
		w := watch(t, s.url, room, c.token())
		all.Go(func() {
			posting, stop := context.WithCancel(t.Context())
			defer stop()
			go postUntil(posting, s.url, room, owner())
			for range int(readyTime / pollInterval) {
				if w.count() > 0 {
					break
				}
				time.Sleep(pollInterval)
			}
			before := w.count()
			c.end(room)
			after := w.lastAfter(time.Now())
			t.Logf("%s: %d frames, the last one %v after the end", name, w.count(), after)
			if before == 0 || after > maxAfterEnd {
				t.Errorf("%s: %d frames before the end, the last one %v after it", name, before, after)
			}
		})
	}
	all.Wait()
}

// lastAfter waits until no more frames arrive, or frames arrive for too long after an end. It
// returns the time of the last one.
func (w *watcher) lastAfter(end time.Time) time.Duration {
	for {
		time.Sleep(pollInterval)
		w.mu.Lock()
		last := w.last
		w.mu.Unlock()
		if after := last.Sub(end); after > maxAfterEnd || time.Since(last) > silence && time.Since(end) > silence {
			return after
		}
	}
}

// newRoom creates a room of which bob is a member.
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

// postUntil posts until ctx ends. Posts to a room that was deleted are refused.
func postUntil(ctx context.Context, url, room, token string) {
	for ctx.Err() == nil {
		_, _, _ = call(ctx, http.MethodPost, url+"/rooms/"+room+"/messages", token, `{"text":"hello"}`)
		time.Sleep(postPause)
	}
}

// watcher notes when the frames of a room with changes arrive over one connection.
type watcher struct {
	mu     sync.Mutex
	frames int
	last   time.Time
}

func (w *watcher) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.frames
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
				w.mu.Lock()
				w.frames, w.last = w.frames+1, time.Now()
				w.mu.Unlock()
			}
		}
	}()
	return w
}
