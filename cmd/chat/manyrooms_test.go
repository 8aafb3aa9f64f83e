package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/parley/client"
)

// counter counts the requests that pass, by the last parts of their paths, and the answers 304.
type counter struct {
	mu   sync.Mutex
	sent map[string]int
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	part := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[part]++
	if err == nil && res.StatusCode == http.StatusNotModified {
		c.sent[part+" unchanged"]++
	}
	return res, err
}

// count returns how many requests have passed.
func (c *counter) count(part string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[part]
}

// heard is what a client hears: the texts of messages, by room.
type heard struct {
	mu    sync.Mutex
	begun map[string]string // the position in each room
	fresh []string          // rooms that began without a position
	texts map[string][]string
	sent  *counter
	stop  func()
}

// hearAll follows rooms until the test ends.
func hearAll(t *testing.T, url, token string, f client.Following) *heard {
	t.Helper()
	h := &heard{begun: map[string]string{}, texts: map[string][]string{}, sent: &counter{sent: map[string]int{}}}
	c, err := client.New(url, client.Fixed(token), h.sent)
	if err != nil {
		t.Fatal(err)
	}
	f.Handle = h.handle
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Follow(ctx, f) }()
	h.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
	t.Cleanup(h.stop)
	return h
}

func (h *heard) handle(n client.News) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun[n.Room] = n.Since
	if len(n.Changes) == 0 {
		h.fresh = append(h.fresh, n.Room)
	}
	for _, c := range n.Changes {
		if c.Message != nil {
			h.texts[n.Room] = append(h.texts[n.Room], c.Message.Text)
		}
	}
	return nil
}

// TestClient_HearsEachOf139Rooms follows the rooms of a person, and of the service that owns them, at
// a real server, twice: a message in each room arrives between the two. Afterwards it posts where no
// comparison of heads is awaited: in a direct room, which is the oldest, and in a new room.
func TestClient_HearsEachOf139Rooms(t *testing.T) {
	t.Parallel()
	const rooms = 139
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "1000")
	bob, robot, desk := tokenOf(t, dir, "bob"), tokenOf(t, dir, "robot"), tokenOf(t, dir, "desk", "--service")
	direct := messageID(t, mustCall(t, 201, "POST", s.url+"/rooms", bob, `{"direct":["robot"]}`))
	post := func(token, room, text string) {
		t.Helper()
		mustCall(t, 201, "POST", s.url+"/rooms/"+room+"/messages", token, fmt.Sprintf(`{"text":%q}`, text))
	}
	join := func(name string) {
		t.Helper()
		mustCall(t, 201, "PUT", s.url+"/rooms/"+name, desk, "{}")
		mustCall(t, 201, "PUT", s.url+"/rooms/"+name+"/members/robot", desk, `{"role":"member"}`)
	}
	own := map[string]string{}
	for i := range rooms - 1 {
		name := fmt.Sprintf("room-%03d", i)
		own[name] = ""
		join(name)
	}
	ofPerson, ofService := positions(t, s.url, robot, nil, rooms), positions(t, s.url, desk, own, rooms-1)
	for name := range own {
		post(desk, name, "one")
	}
	person, service := hearAll(t, s.url, robot, client.Following{Rooms: ofPerson, All: true}), hearAll(t, s.url, desk, client.Following{Rooms: ofService})
	person.wait(t, "one", rooms-1)
	service.wait(t, "one", rooms-1)
	post(bob, direct, "two")
	person.wait(t, "two", 1)
	join("later")
	post(desk, "later", "three")
	person.wait(t, "three", 1)
	post(desk, "room-000", "four") // the service follows the first 100 of its rooms
	service.wait(t, "four", 1)
	if lists, heads := person.sent.count("rooms"), person.sent.count("heads"); lists > 0 || heads < 1 || heads > 2 {
		t.Errorf("%d lists of rooms and %d of heads were read, want heads only", lists, heads)
	}
	person.stop()
	if !slices.Equal(person.fresh, []string{"later"}) {
		t.Errorf("without a position begin %v, want only the room that was added", person.fresh)
	}
	if n := service.sent.count("changes"); n > 2*rooms {
		t.Errorf("a service read its feeds %d times", n)
	}
}

// TestClient_HearsRoomsWithoutASocket polls the heads of all rooms, which are mostly unchanged.
func TestClient_HearsRoomsWithoutASocket(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	bob, robot := tokenOf(t, dir, "bob"), tokenOf(t, dir, "robot")
	direct := messageID(t, mustCall(t, 201, "POST", s.url+"/rooms", bob, `{"direct":["robot"]}`))
	h := hearAll(t, s.url, robot, client.Following{Socket: "ws://127.0.0.1:1/ws"})
	waitFor(t, "unchanged heads", func() bool { return h.sent.count("heads unchanged") > 1 })
	mustCall(t, 201, "POST", s.url+"/rooms/"+direct+"/messages", bob, `{"text":"one"}`)
	h.wait(t, "one", 1)
	if n := h.sent.count("changes"); n > 3 {
		t.Errorf("the feed was read %d times, want only after changes", n)
	}
}

// positions returns the positions at which n rooms begin.
func positions(t *testing.T, url, token string, rooms map[string]string, n int) map[string]string {
	t.Helper()
	h := hearAll(t, url, token, client.Following{Rooms: rooms})
	waitFor(t, "the positions", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.begun) == n
	})
	h.stop()
	return h.begun
}

// wait waits until a text was heard in n rooms, once in each.
func (h *heard) wait(t *testing.T, text string, n int) {
	t.Helper()
	waitFor(t, fmt.Sprintf("%q in %d rooms", text, n), func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		found := 0
		for _, texts := range h.texts {
			found += strings.Count(strings.Join(texts, " "), text)
		}
		if found > n {
			t.Errorf("%q was heard %d times, want %d", text, found, n)
		}
		return found >= n
	})
}
