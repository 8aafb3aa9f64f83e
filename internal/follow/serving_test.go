package follow_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// fault answers a request over HTTP with the next fault, if there is one.
func (s *service) fault(w http.ResponseWriter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.hidden {
		w.WriteHeader(http.StatusNotFound)
		return true
	}
	if len(s.answers) == 0 {
		s.unauthorized = 0
		return false
	}
	status := s.answers[0]
	s.answers = s.answers[1:]
	if status == http.StatusUnauthorized {
		s.unauthorized++
	}
	if status == 0 {
		panic(http.ErrAbortHandler)
	}
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "2")
	}
	w.WriteHeader(status)
	return true
}

// pageSize is small, so that a feed has several pages.
const pageSize = 3

func (s *service) changes(w http.ResponseWriter, r *http.Request) {
	if s.fault(w) {
		return
	}
	s.mu.Lock()
	hang := s.hang
	s.hang = max(s.hang-1, 0)
	s.mu.Unlock()
	if hang > 0 {
		<-r.Context().Done()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	from, ok := s.read(r.URL.Query().Get("since"))
	if !ok {
		_, _ = w.Write(encoded(map[string]any{"items": []any{}, "head": len(s.log), "reset": true}))
		return
	}
	changes := []any{}
	to := min(from+pageSize, len(s.log))
	for seq := from + 1; seq <= to; seq++ {
		changes = append(changes, s.shown(seq, s.messages[s.log[seq-1].id], false))
	}
	_, _ = w.Write(encoded(map[string]any{"items": changes, "head": len(s.log), "since": s.position(to), "reset": false}))
}

// page responds with the complete list and its position.
func (s *service) page(w http.ResponseWriter, _ *http.Request) {
	if s.fault(w) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = w.Write(encoded(map[string]any{"list": s.messages, "since": s.position(len(s.log))}))
}

// accept serves one connection.
func (s *service) accept(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.dials++
	refused := s.refuse > 0
	s.refuse = max(s.refuse-1, 0)
	for _, offered := range strings.Split(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		if token, ok := strings.CutPrefix(strings.TrimSpace(offered), "bearer."); ok {
			s.tokens[token] = true
		}
	}
	s.mu.Unlock()
	if refused {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"parley.v1"}})
	if err != nil {
		return
	}
	c := &server{conn: conn, begun: time.Now()}
	s.mu.Lock()
	s.conns[c] = true
	s.mu.Unlock()
	ctx := context.WithoutCancel(r.Context())
	for {
		_, text, err := conn.Read(ctx)
		if err != nil {
			break
		}
		s.mu.Lock()
		slow := s.slow
		s.mu.Unlock()
		time.Sleep(slow)
		if answer := s.answer(c, text); answer != nil {
			s.write(c, answer)
		}
	}
	_ = conn.CloseNow()
	s.mu.Lock()
	delete(s.conns, c)
	s.lives = append(s.lives, time.Since(c.begun))
	s.mu.Unlock()
}

// answer answers a request over the socket.
func (s *service) answer(c *server, text []byte) []byte {
	var in struct {
		Type, ID, Token string
		Rooms           []struct{ ID, Since string }
	}
	if err := json.Unmarshal(text, &in); err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent || c.dead {
		return nil
	}
	if in.Type == "sync" && len(in.Rooms) > 0 {
		s.synced++
	}
	if in.Type == "renew" {
		s.renewals++
		if s.refusesRenewals {
			return encoded(map[string]any{"type": "problem", "id": in.ID, "problem": map[string]any{"status": http.StatusConflict}})
		}
		s.tokens[in.Token] = true
	}
	at := map[string]any{"id": "seattle"}
	switch {
	case s.hidden:
		at["problem"] = map[string]any{"status": http.StatusNotFound}
	case in.Type == "sync" && (s.forget || !c.subscribed):
		c.subscribed, s.forget = false, false
		at["unsubscribed"] = true
	default:
		c.subscribed = true
		at["head"], at["since"], at["reset"] = len(s.log), s.position(len(s.log)), false
		if len(in.Rooms) > 0 {
			if _, ok := s.read(in.Rooms[0].Since); !ok {
				at["reset"] = true
			}
		}
	}
	return encoded(map[string]any{"type": "ack", "id": in.ID, "now": time.Now(), "rooms": []any{at}})
}

// write writes one message, unless the connection breaks there.
func (s *service) write(c *server, text []byte) {
	s.mu.Lock()
	breaks := s.cutAt == 1
	s.cutAt = max(s.cutAt-1, 0)
	s.mu.Unlock()
	if breaks {
		_ = c.conn.CloseNow()
		return
	}
	_ = c.conn.Write(context.Background(), websocket.MessageText, text)
}

// send writes a frame to every subscribed connection.
func (s *service) send(text []byte) {
	s.mu.Lock()
	var to []*server
	for c := range s.conns {
		if c.subscribed && !c.dead {
			to = append(to, c)
		}
	}
	s.mu.Unlock()
	for _, c := range to {
		s.write(c, text)
	}
}

// cut breaks every connection, after a closing frame if there is a reason.
func (s *service) cut(reason ...string) {
	for _, r := range reason {
		s.send(encoded(map[string]string{"type": "closing", "reason": r}))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		_ = c.conn.CloseNow()
	}
}
