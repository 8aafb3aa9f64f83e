package follow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/client"
	"example.com/parley/internal/follow"
)

// crowd is a server with many rooms, over in-memory connections. It processes the requests of a
// connection concurrently, as functions do: one to unsubscribe takes the longest.
type crowd struct {
	t     *testing.T
	mu    sync.Mutex
	heads map[string]int  // the number of changes of each room
	order []string        // newest activity first
	owned bool            // the rooms belong to a service: they are in no list
	dm    map[string]bool // direct rooms
	left  map[string]bool // they may still be read, but are in no list
	mute  map[string]int  // rooms whose subscriptions are refused with a status
	deaf  int             // the status with which each subscribe is refused, if positive
	lossy bool            // frames are lost
	slow  time.Duration   // of the response to a hello
	conns map[*listener]bool

	requests map[string]int // by kind: heads, changes, messages
	frames   map[string]int // requests over the socket, by type
	refused  []string
	work     sync.WaitGroup
	hello    []string // the rooms of the last hello
}

// listener is one connection.
type listener struct {
	conn  *websocket.Conn
	write sync.Mutex
	rooms map[string]bool
	stuck bool // it answers nothing
}

// newCrowd starts a server with n rooms, the first of which has the newest activity.
func newCrowd(t *testing.T, n int) (*crowd, *client.Client, *http.Client) {
	s := &crowd{
		t: t, heads: map[string]int{}, dm: map[string]bool{}, left: map[string]bool{}, mute: map[string]int{},
		conns: map[*listener]bool{}, requests: map[string]int{}, frames: map[string]int{},
	}
	for i := range n {
		s.heads[roomNamed(i)] = 1
		s.order = append(s.order, roomNamed(i))
	}
	l := &memory{conns: make(chan net.Conn), done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", s.accept)
	mux.HandleFunc("GET /people/me/heads", s.listHeads)
	mux.HandleFunc("GET /rooms/{room}/changes", s.changes)
	mux.HandleFunc("GET /rooms/{room}/messages", s.messages)
	h := &http.Server{Handler: mux}
	go func() { _ = h.Serve(l) }()
	transport := &http.Transport{DialContext: l.dial}
	t.Cleanup(func() {
		s.cut()
		s.work.Wait()
		transport.CloseIdleConnections()
		_ = h.Close()
		_ = l.Close()
	})
	c := &http.Client{Transport: transport}
	api, err := client.New("http://127.0.0.1", freshToken, transport)
	if err != nil {
		t.Fatal(err)
	}
	return s, api, c
}

func roomNamed(i int) string { return fmt.Sprintf("room-%04d", i) }

func answer(w http.ResponseWriter, v any) { _, _ = w.Write(encoded(v)) }

func (s *crowd) listHeads(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests["heads"]++
	items := []any{}
	for _, id := range s.order {
		if !s.owned && !s.left[id] {
			items = append(items, map[string]any{"id": id, "head": s.heads[id]})
		}
	}
	answer(w, map[string]any{"items": items})
}

func (s *crowd) changes(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests["changes"]++
	id := r.PathValue("room")
	head, ok := s.heads[id]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	since, _ := strconv.Atoi(r.URL.Query().Get("since"))
	items := []any{}
	for seq := since + 1; seq <= head; seq++ {
		items = append(items, change(seq))
	}
	answer(w, map[string]any{"items": items, "head": head, "since": strconv.Itoa(head)})
}

func change(seq int) map[string]any { return map[string]any{"seq": seq, "type": "message.created"} }

func (s *crowd) messages(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests["messages"]++
	answer(w, map[string]any{"since": strconv.Itoa(s.heads[r.PathValue("room")])})
}

func (s *crowd) accept(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"parley.v1"}})
	if err != nil {
		return
	}
	l := &listener{conn: conn, rooms: map[string]bool{}}
	s.mu.Lock()
	s.conns[l] = true
	s.mu.Unlock()
	for {
		_, text, err := conn.Read(context.WithoutCancel(r.Context()))
		if err != nil {
			break
		}
		s.work.Go(func() { s.serve(l, text) })
	}
	s.mu.Lock()
	delete(s.conns, l)
	s.mu.Unlock()
}

// serve answers one request over the socket.
func (s *crowd) serve(l *listener, text []byte) {
	var in struct {
		Type, ID string
		Rooms    []struct{ ID, Since string }
	}
	if err := json.Unmarshal(text, &in); err != nil {
		panic(err)
	}
	s.mu.Lock()
	pauses := map[string]time.Duration{"unsubscribe": 300 * time.Millisecond, "hello": s.slow}
	stuck := l.stuck
	s.mu.Unlock()
	if stuck {
		return
	}
	time.Sleep(pauses[in.Type])
	s.mu.Lock()
	s.frames[in.Type]++
	if in.Type != "hello" && len(in.Rooms) > 20 || len(text) > 4<<10 && in.Type != "hello" {
		s.t.Errorf("%s names %d rooms in %d bytes", in.Type, len(in.Rooms), len(text))
	}
	if in.Type == "hello" {
		s.hello = nil
		if in.Rooms == nil {
			s.t.Errorf("a hello without rooms selects 30: %s", text)
		}
	}
	status := 0
	fresh := 0
	for _, r := range in.Rooms {
		if !l.rooms[r.ID] {
			fresh++
		}
	}
	adds := in.Type == "hello" || in.Type == "subscribe"
	switch {
	case adds && len(l.rooms)+fresh > 100:
		status = http.StatusConflict
	case in.Type == "subscribe" && s.deaf > 0:
		status = s.deaf
	}
	answer := map[string]any{"type": "problem", "id": in.ID, "problem": map[string]any{"status": status}}
	if status == 0 {
		rooms := []any{}
		for _, r := range in.Rooms {
			rooms = append(rooms, s.room(l, in.Type, r.ID))
		}
		answer = map[string]any{"type": "ack", "id": in.ID, "rooms": rooms}
	} else {
		s.refused = append(s.refused, fmt.Sprint(in.Type, " ", status))
	}
	s.mu.Unlock()
	l.send(answer)
}

// room returns a room's part of an answer.
func (s *crowd) room(l *listener, kind, id string) map[string]any {
	at := map[string]any{"id": id, "head": s.heads[id], "since": strconv.Itoa(s.heads[id])}
	switch kind {
	case "unsubscribe":
		delete(l.rooms, id)
		return map[string]any{"id": id, "unsubscribed": true}
	case "hello":
		s.hello = append(s.hello, id)
	case "sync":
		return at
	}
	if status := s.mute[id]; status > 0 {
		s.refused = append(s.refused, fmt.Sprint(kind, " ", id, " ", status))
		return map[string]any{"id": id, "problem": map[string]any{"status": status}}
	}
	l.rooms[id] = true
	return at
}

func (l *listener) send(v any) {
	l.write.Lock()
	defer l.write.Unlock()
	_ = l.conn.Write(context.Background(), websocket.MessageText, encoded(v))
}

// post adds a message to a room, and sends its frames.
func (s *crowd) post(id string) {
	s.mu.Lock()
	s.heads[id]++
	seq := s.heads[id]
	s.order = append([]string{id}, slices.DeleteFunc(s.order, func(other string) bool { return other == id })...)
	frame := map[string]any{"type": "changes", "rooms": []any{map[string]any{"id": id, "since": strconv.Itoa(seq), "changes": []any{change(seq)}}}}
	personal := map[string]any{"type": "personal", "event": map[string]any{"type": "message.added", "room": id, "seq": seq}}
	send := map[*listener]any{}
	for l := range s.conns {
		switch {
		case s.lossy:
		case l.rooms[id]:
			send[l] = frame
		case s.dm[id]:
			send[l] = personal
		}
	}
	s.mu.Unlock()
	for l, v := range send {
		l.send(v)
	}
}

// tell sends a frame to every connection.
func (s *crowd) tell(v any) {
	s.mu.Lock()
	var all []*listener
	for l := range s.conns {
		all = append(all, l)
	}
	s.mu.Unlock()
	for _, l := range all {
		l.send(v)
	}
}

func (s *crowd) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.conns {
		_ = l.conn.CloseNow()
	}
}

// set changes the server.
func (s *crowd) set(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

// counted returns the requests and the frames since the last call.
func (s *crowd) counted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := fmt.Sprint(s.requests, s.frames, s.refused)
	clear(s.requests)
	clear(s.frames)
	s.refused = nil
	return got
}

// hearer follows the rooms of a crowd.
type hearer struct {
	mu    sync.Mutex
	last  map[string]int64 // the number of the newest change of each room
	gone  []string
	fault string
	stop  context.CancelFunc
	done  chan error
}

// hear follows the given rooms, or all rooms of the caller's list with positions for them.
func (s *crowd) hear(api *client.Client, c *http.Client, seed uint64, all bool, rooms ...follow.Room) *hearer {
	ctx, stop := context.WithCancel(context.Background())
	h := &hearer{last: map[string]int64{}, stop: stop, done: make(chan error, 1)}
	config := follow.Config{
		Client: api, Socket: socketAddress, Dial: follow.SocketDialer(c), Rooms: rooms, All: all, Clock: time.Now,
		Random: rand.New(rand.NewPCG(seed, 1)).Float64, Handle: h.handle,
		Heads: func(ctx context.Context) ([]follow.Head, error) {
			var page struct{ Items []follow.Head }
			err := api.Get(ctx, "/people/me/heads", &page)
			return page.Items, err
		},
		Reload: func(ctx context.Context, room string) (string, error) {
			var page struct{ Since string }
			err := api.Get(ctx, "/rooms/"+room+"/messages?limit=1", &page)
			return page.Since, err
		},
	}
	go func() { h.done <- follow.Run(ctx, config) }()
	return h
}

func (h *hearer) handle(e follow.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch e.Type {
	case follow.Removed:
		h.gone = append(h.gone, e.Room)
		delete(h.last, e.Room)
	case follow.Changes:
		for _, c := range e.Changes {
			if last := h.last[e.Room]; last > 0 && c.Seq != last+1 {
				h.fault = fmt.Sprintf("%s: %d follows %d", e.Room, c.Seq, last)
			}
			h.last[e.Room] = c.Seq
		}
	}
	return nil
}

// left returns the rooms that are no longer followed.
func (h *hearer) left() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.gone, " ")
}

// missing returns the rooms whose newest change has not arrived.
func (h *hearer) missing(s *crowd) (rooms []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.fault != "" {
		s.t.Error(h.fault)
	}
	for id, head := range s.heads {
		if head > 1 && h.last[id] != int64(head) {
			rooms = append(rooms, id)
		}
	}
	slices.Sort(rooms)
	return rooms
}
