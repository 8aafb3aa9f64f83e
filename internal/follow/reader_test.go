package follow_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
)

// reader is a program that follows the room: it holds a list of messages, and the position that it
// would store.
type reader struct {
	mu      sync.Mutex
	list    map[string]stored
	since   string
	seq     int64 // of the last change; zero when it is not known
	events  []follow.Event
	faults  []string
	reloads int
	removed bool
	state   string
	quiet   time.Duration

	api   *client.Client
	http  *http.Client
	ahead atomic.Int64 // how far its clock is ahead

	stop context.CancelFunc
	done chan error
}

// tokenLife is how long the tokens of readers are valid.
const tokenLife = time.Hour

func newReader(t testing.TB, c *http.Client) *reader {
	api, err := client.New("http://127.0.0.1", freshToken, c.Transport)
	if err != nil {
		t.Fatal(err)
	}
	return &reader{list: map[string]stored{}, api: api, http: c}
}

// freshToken returns a token with an expiry, which nobody verifies.
func freshToken(context.Context) (string, error) {
	claims := fmt.Sprintf(`{"exp":%d}`, time.Now().Add(tokenLife).Unix())
	return "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".x", nil
}

// start follows the room from the stored position. Without a socket it polls.
func (r *reader) start(seed uint64, socket string) {
	ctx, stop := context.WithCancel(context.Background())
	r.stop, r.done = stop, make(chan error, 1)
	r.mu.Lock()
	r.seq = 0
	since := r.since
	r.mu.Unlock()
	config := follow.Config{
		Client: r.api, Socket: socket, Dial: follow.SocketDialer(r.http),
		Rooms: []follow.Room{{ID: "seattle", Since: since}}, Handle: r.handle, Reload: r.reload,
		Clock: func() time.Time { return time.Now().Add(time.Duration(r.ahead.Load())) }, Quiet: r.quiet, Random: rand.New(rand.NewPCG(seed, 1)).Float64,
	}
	go func() { r.done <- follow.Run(ctx, config) }()
}

// end stops the reader and returns the error of its run.
func (r *reader) end() error {
	r.stop()
	return <-r.done
}

func (r *reader) handle(e follow.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	switch e.Type {
	case follow.State:
		r.state = e.State
	case follow.Removed:
		r.removed = true
	case follow.Changes:
		for _, c := range e.Changes {
			if r.seq != 0 && c.Seq != r.seq+1 {
				r.faults = append(r.faults, fmt.Sprintf("%d follows %d", c.Seq, r.seq))
			}
			r.seq = c.Seq
			if c.Omitted {
				r.faults = append(r.faults, fmt.Sprintf("%d lacks its message", c.Seq))
			}
			if m := c.Message; m != nil && m.Revision >= r.list[c.ID].Revision {
				r.list[c.ID] = stored{Text: m.Text, Revision: m.Revision}
			}
		}
		r.since = e.Since
	}
	return nil
}

func (r *reader) reload(ctx context.Context, room string) (string, error) {
	var page struct {
		List  map[string]stored
		Since string
	}
	_, err := r.api.Do(ctx, client.Call{Method: http.MethodGet, Path: "/rooms/" + room + "/messages", Want: []int{http.StatusOK}, Into: &page})
	if err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reloads++
	r.list, r.since, r.seq = page.List, page.Since, 0
	return page.Since, nil
}

// agrees returns how the reader differs from the server.
func (r *reader) agrees(s *service) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(r.faults) > 0 {
		return fmt.Errorf("the changes: %v", r.faults)
	}
	if !maps.Equal(r.list, s.messages) {
		return fmt.Errorf("the reader has %v, the server %v", r.list, s.messages)
	}
	if seq, ok := s.read(r.since); len(s.log) > 0 && (!ok || seq != len(s.log)) {
		return fmt.Errorf("the reader would resume from %q, not from %d", r.since, len(s.log))
	}
	return nil
}

const socketAddress = "ws://127.0.0.1/ws"

// world starts a server and a reader of it.
func world(t testing.TB) (*service, *reader) {
	s := newService()
	c, stop := s.start()
	t.Cleanup(stop)
	r := newReader(t, c)
	r.since = s.position(0) // of the page that a program begins with
	return s, r
}

// finish ends the reader, which must not have failed.
func (r *reader) finish(t testing.TB) {
	t.Helper()
	if err := r.end(); !errors.Is(err, context.Canceled) {
		t.Errorf("the reader ended with %v", err)
	}
}

// count returns a counter of the reader.
func (r *reader) count(n *int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return *n
}

// way returns the way in which changes currently arrive.
func (r *reader) way() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}
