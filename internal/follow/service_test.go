package follow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// service is a server with one room, whose faults a test chooses. It uses real HTTP and WebSocket
// over in-memory connections, so that it runs on fake time.
type service struct {
	mu         sync.Mutex
	generation int
	log        []entry
	messages   map[string]stored // the server's list
	next       int               // the number of the next message

	conns   map[*server]bool
	late    [][]byte      // frames that are held back
	refuse  int           // how many handshakes fail
	answers []int         // statuses of the next requests over HTTP; zero breaks the connection
	silent  bool          // requests over the socket get no response
	forget  bool          // the connections lose their subscriptions
	hidden  bool          // the room is hidden
	hang    int           // how many reads of the feed get no response
	slow    time.Duration // of each response over the socket
	cutAt   int           // the connection breaks at this many written messages from now, if positive

	refusesRenewals bool

	dials, asked int
	unauthorized int             // 401s since the last success over HTTP
	lives        []time.Duration // of connections that ended
	tokens       map[string]bool // that were offered, also to renew connections
	renewals     int
	synced       int // requests to sync that name rooms
}

// entry is one change, and the message at that time.
type entry struct {
	id, kind string
	then     stored
}

// stored is the current state of a message.
type stored struct {
	Text     string
	Revision int
}

// server is the server's end of a connection.
type server struct {
	conn       *websocket.Conn
	subscribed bool
	dead       bool // nothing reaches the client
	begun      time.Time
}

func newService() *service {
	return &service{messages: map[string]stored{}, conns: map[*server]bool{}, tokens: map[string]bool{}}
}

// start serves on in-memory connections. The returned client reaches it under every name.
func (s *service) start() (c *http.Client, stop func()) {
	l := &memory{conns: make(chan net.Conn), done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ws", s.accept)
	mux.HandleFunc("GET /rooms/seattle/changes", s.changes)
	mux.HandleFunc("GET /rooms/seattle/messages", s.page)
	h := &http.Server{Handler: mux}
	go func() { _ = h.Serve(l) }()
	transport := &http.Transport{DialContext: l.dial}
	return &http.Client{Transport: transport}, func() {
		s.cut()
		transport.CloseIdleConnections()
		_ = h.Close()
		_ = l.Close()
	}
}

// memory is a listener for in-memory connections.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (m *memory) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-m.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error   { m.once.Do(func() { close(m.done) }); return nil }
func (m *memory) Addr() net.Addr { return &net.IPAddr{} }

// change appends one change of a message, and returns its number.
func (s *service) change(kind string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := fmt.Sprintf("m%d", s.next)
	if kind == "message.created" || s.next == 0 {
		kind = "message.created"
		s.next++
		id = fmt.Sprintf("m%d", s.next)
	}
	m := s.messages[id]
	m.Revision++
	m.Text = fmt.Sprintf("%s as of %d", id, m.Revision)
	if kind == "message.deleted" {
		m.Text = ""
	}
	s.messages[id] = m
	s.log = append(s.log, entry{id, kind, m})
	return len(s.log)
}

// restore loses the feed and half of the messages, like a restored table.
func (s *service) restore() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generation++
	s.log, s.late = nil, nil
	for id := range s.messages {
		if n, _ := strconv.Atoi(id[1:]); n%2 == 0 {
			delete(s.messages, id)
		}
	}
}

func (s *service) position(seq int) string { return fmt.Sprintf("g%d-%d", s.generation, seq) }

// read returns the number of a position, and whether the feed continues from it.
func (s *service) read(since string) (seq int, ok bool) {
	if since == "" {
		return 0, true
	}
	prefix := fmt.Sprintf("g%d-", s.generation)
	seq, err := strconv.Atoi(strings.TrimPrefix(since, prefix))
	return seq, err == nil && strings.HasPrefix(since, prefix) && seq <= len(s.log)
}

// shown returns the form of the change with a number, and the message in the given state.
func (s *service) shown(seq int, m stored, omitted bool) map[string]any {
	e := s.log[seq-1]
	c := map[string]any{"seq": seq, "type": e.kind, "id": e.id, "revision": e.then.Revision}
	if omitted {
		c["omitted"] = true
	} else {
		c["message"] = map[string]any{"id": e.id, "text": m.Text, "revision": m.Revision}
	}
	return c
}

// frame returns the frame with the changes of these numbers.
func (s *service) frame(omitted bool, seqs ...int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var changes []any
	for _, seq := range seqs {
		if seq > len(s.log) {
			return []byte(`{"type":"counts","rooms":[]}`)
		}
		changes = append(changes, s.shown(seq, s.log[seq-1].then, omitted))
	}
	return encoded(map[string]any{"type": "changes", "rooms": []any{
		map[string]any{"id": "seattle", "since": s.position(seqs[len(seqs)-1]), "changes": changes},
	}})
}

func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// count returns a counter of the service.
func (s *service) count(n *int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *n
}
