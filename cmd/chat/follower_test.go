package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/follow"
)

const (
	// syncInterval is how often a follower requests its positions, so that it soon notices an
	// unresponsive network. Real clients do so every 8 minutes.
	syncInterval = 250 * time.Millisecond
	// answerTime is how long a follower waits for a response over a network that may transfer
	// nothing.
	answerTime = 2 * time.Second
)

// follower follows a room through its socket, and reads what it missed from the feed. It knows
// only the server's address.
type follower struct {
	t     *testing.T
	url   string // of the API
	room  string
	token func() string
	// steady reports that the network transfers everything. The follower then tolerates a busy
	// machine, and reads from the feed only if frames stay away for long.
	steady bool

	mu       sync.Mutex
	since    string
	seen     []liveChange // in order, each once
	frames   int          // changes that came first in frames
	sessions int
	closings []string
	gone     bool                           // unsubscribed
	awaited  struct{ sessions, frames int } // when resumed returned
}

type liveChange struct {
	Seq     int64  `json:"seq"`
	Type    string `json:"type"`
	ID      string `json:"id"`
	Message *struct {
		Text string `json:"text"`
	} `json:"message"`
}

// liveFrame has the fields of all frames.
type liveFrame struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Room   string `json:"room"`
	Rooms  []struct {
		ID           string          `json:"id"`
		Head         int64           `json:"head"`
		Since        string          `json:"since"`
		Reset        bool            `json:"reset"`
		Unsubscribed bool            `json:"unsubscribed"`
		Problem      json.RawMessage `json:"problem"`
		Changes      []liveChange    `json:"changes"`
	} `json:"rooms"`
}

// run follows until ctx ends, across the ends of connections.
func (f *follower) run(ctx context.Context) {
	for ctx.Err() == nil {
		_ = f.session(ctx) // the next one continues
		time.Sleep(2 * pollInterval)
	}
}

// session follows over one connection.
func (f *follower) session(ctx context.Context) error {
	token := f.token()
	ws, err := f.dial(ctx, token)
	if err != nil {
		return err
	}
	defer func() { _ = ws.CloseNow() }()
	f.mu.Lock()
	f.sessions++
	hello := fmt.Sprintf(`{"type":"hello","id":"h","rooms":[{"id":%q,"since":%q}]}`, f.room, f.since)
	f.mu.Unlock()
	ctx, end := context.WithCancel(ctx)
	defer end()
	if err := ws.Write(ctx, websocket.MessageText, []byte(hello)); err != nil {
		return err
	}
	go f.keepAsking(ctx, ws)
	for {
		wait, cancel := context.WithTimeout(ctx, f.patience())
		_, text, err := ws.Read(wait)
		cancel()
		if err != nil {
			return err
		}
		if err := f.take(ctx, token, text); err != nil {
			return err
		}
	}
}

func (f *follower) dial(ctx context.Context, token string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, f.patience())
	defer cancel()
	ws, _, err := websocket.Dial(ctx, f.url+socketPath, &websocket.DialOptions{
		HTTPClient: follow.HandshakeClient(http.DefaultClient), Subprotocols: []string{"parley.v1", "bearer." + token},
	})
	return ws, err
}

func (f *follower) keepAsking(ctx context.Context, ws *websocket.Conn) {
	pause := syncInterval
	if f.steady {
		pause = answerTime
	}
	for n := 0; ctx.Err() == nil; n++ {
		time.Sleep(pause)
		_ = ws.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"type":"sync","id":"s%d"}`, n))
	}
}

// take handles a frame.
func (f *follower) take(ctx context.Context, token string, text []byte) error {
	var frame liveFrame
	if err := json.Unmarshal(text, &frame); err != nil {
		f.t.Errorf("frame %s: %v", text, err)
	}
	switch frame.Type {
	case "closing":
		f.mu.Lock()
		defer f.mu.Unlock()
		f.closings = append(f.closings, frame.Reason)
		return nil
	case "unsubscribed":
		f.mu.Lock()
		defer f.mu.Unlock()
		f.gone = true
		return nil
	case "ack", "changes":
	case "personal", "presence", "typing":
		return nil
	default:
		return errors.New(string(text))
	}
	for _, room := range frame.Rooms {
		if room.ID != f.room {
			continue
		}
		if room.Problem != nil || room.Unsubscribed || room.Reset {
			return errors.New(string(text))
		}
		if f.add(room.Changes, room.Since, true) && f.last() >= room.Head {
			continue
		}
		if err := f.catchUp(ctx, token); err != nil {
			return err
		}
	}
	return nil
}

// add accepts changes that follow the ones already seen, and drops repetitions. It reports whether
// there is no gap.
func (f *follower) add(changes []liveChange, since string, live bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range changes {
		last := int64(len(f.seen))
		if c.Seq > last+1 {
			return false
		}
		if c.Seq <= last {
			continue
		}
		f.seen = append(f.seen, c)
		f.since = since
		if live {
			f.frames++
		}
	}
	return true
}

// await waits for a condition of the follower.
func (f *follower) await(t *testing.T, holds func() bool) {
	t.Helper()
	for range int(readyTime / pollInterval) {
		f.mu.Lock()
		ok := holds()
		f.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Errorf("the follower did not get there: %d changes, %d in frames, %d connections", f.last(), f.frames, f.sessions)
}

// awaitChanges waits until the follower has seen n more changes.
func (f *follower) awaitChanges(t *testing.T, n int) {
	t.Helper()
	want := f.last() + int64(n)
	f.await(t, func() bool { return int64(len(f.seen)) >= want })
}

// resumed waits until a further connection has delivered changes in frames.
func (f *follower) resumed(t *testing.T) {
	t.Helper()
	const enough = 3 // the first may have been in flight when the previous connection ended
	f.await(t, func() bool {
		if f.sessions == f.awaited.sessions || f.frames < f.awaited.frames+enough {
			return false
		}
		f.awaited.sessions, f.awaited.frames = f.sessions, f.frames
		return true
	})
}

func (f *follower) last() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.seen))
}

// catchUp reads the feed to its end.
func (f *follower) catchUp(ctx context.Context, token string) error {
	for {
		f.mu.Lock()
		since := f.since
		f.mu.Unlock()
		page, err := f.read(ctx, token, since)
		if err != nil {
			return err
		}
		if page.Reset || !f.add(page.Items, page.Since, false) {
			f.t.Errorf("the feed after %q: %+v", since, page)
			return errors.New("reset")
		}
		if f.last() >= page.Head {
			return nil
		}
	}
}
