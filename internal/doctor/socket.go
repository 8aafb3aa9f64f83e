package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/config"
)

const (
	// goSpelling is the header of the subprotocols as Go's HTTP client writes it, browserSpelling
	// as browsers and the standard do. API Gateway may compare the name exactly.
	goSpelling      = "Sec-Websocket-Protocol"
	browserSpelling = "Sec-WebSocket-Protocol"
	// dialTime bounds a handshake: API Gateway waits 29 s for an authorizer.
	dialTime = 30 * time.Second
	// nowhere is a room that does not exist. The socket function looks for it among all rooms,
	// because the caller is not a member.
	nowhere = "parley-doctor-nowhere"
	// refusals is how many refused requests end a connection (docs/live.md).
	refusals = 50
	// maxFrame is the most that API Gateway sends in one message.
	maxFrame = 128 << 10
)

// spelled is a transport that spells the header of the subprotocols in its own way.
type spelled struct {
	name string
	next http.RoundTripper
}

// RoundTrip sends a copy of the request with the header under its name.
func (s spelled) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	offered := r.Header.Values(goSpelling)
	r.Header.Del(goSpelling)
	r.Header[s.name] = offered
	return s.next.RoundTrip(r)
}

// dial opens a connection and says hello for the room.
func (r *exercise) dial(ctx context.Context, spelling string) (*websocket.Conn, error) {
	next := r.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	dialing, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	c, res, err := websocket.Dial(dialing, r.Socket, &websocket.DialOptions{ //nolint:bodyclose // Dial says that it need not be
		HTTPClient:   &http.Client{Transport: spelled{spelling, next}},
		Subprotocols: []string{config.Subprotocol, "bearer." + r.Token},
	})
	switch {
	case err != nil && res != nil: // the error's own text may quote the token
		return nil, fmt.Errorf("the handshake was answered with %d", res.StatusCode)
	case err != nil:
		return nil, errors.New("no connection for live delivery")
	}
	c.SetReadLimit(maxFrame)
	return c, nil
}

// frame is the part of a frame that the steps check.
type frame struct {
	Type, ID, Reason string
	Rooms            []struct {
		ID      string
		Problem *struct {
			Status int
			Detail string
		}
		Changes []struct{ ID string }
	}
	Problem struct{ Detail string }
}

// hear reads frames until a function accepts one.
func hear(ctx context.Context, c *websocket.Conn, want string, accept func(frame) (bool, error)) error {
	for {
		_, text, err := c.Read(ctx)
		if err != nil {
			return fmt.Errorf("wait for %s: %w", want, err)
		}
		var f frame
		if err := json.Unmarshal(text, &f); err != nil {
			return fmt.Errorf("wait for %s: %w", want, err)
		}
		if done, err := accept(f); done || err != nil {
			return err
		}
	}
}

// say sends a request.
func say(ctx context.Context, c *websocket.Conn, request any) error {
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	return c.Write(ctx, websocket.MessageText, text)
}

// listen opens a connection, subscribes to the room, and receives a message.
func (r *exercise) listen(ctx context.Context, spelling string) error {
	c, err := r.dial(ctx, spelling)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	defer func() { _ = c.Close(websocket.StatusNormalClosure, "") }()
	if got := c.Subprotocol(); got != config.Subprotocol {
		return fmt.Errorf("the server selects the subprotocol %q", got)
	}
	rooms := []any{map[string]string{"id": r.room}, map[string]string{"id": nowhere}}
	if err := say(ctx, c, map[string]any{"type": "hello", "id": "1", "rooms": rooms}); err != nil {
		return err
	}
	if err := hear(ctx, c, "the answer to hello", r.subscribed); err != nil {
		return err
	}
	id, err := r.post(ctx, map[string]any{"text": "doctor"})
	if err != nil {
		return err
	}
	return hear(ctx, c, "the change of a message", func(f frame) (bool, error) {
		for _, room := range f.Rooms {
			for _, change := range room.Changes {
				if change.ID == id {
					return true, nil
				}
			}
		}
		return false, nil
	})
}

// listenToOwn says hello without rooms: the socket function then lists the caller's rooms.
func (r *exercise) listenToOwn(ctx context.Context) error {
	c, err := r.dial(ctx, browserSpelling)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	defer func() { _ = c.Close(websocket.StatusNormalClosure, "") }()
	if err := say(ctx, c, map[string]string{"type": "hello", "id": "1"}); err != nil {
		return err
	}
	return hear(ctx, c, "the answer to hello", func(f frame) (bool, error) {
		if f.Type == "problem" {
			return false, errors.New(f.Problem.Detail)
		}
		return f.Type == "ack", nil
	})
}

// subscribed accepts the answer to hello. The room that should not exist may exist after all; it
// is then hidden.
func (r *exercise) subscribed(f frame) (bool, error) {
	switch {
	case f.Type == "problem":
		return false, errors.New(f.Problem.Detail)
	case f.Type != "ack":
		return false, nil
	case len(f.Rooms) != 2 || f.Rooms[0].Problem != nil:
		return false, errors.New("the room is not subscribed to")
	}
	if p := f.Rooms[1].Problem; p != nil && p.Status != http.StatusNotFound {
		return false, fmt.Errorf("a room that does not exist is answered with %d: %s", p.Status, p.Detail)
	}
	return true, nil
}

// refused sends invalid requests until the connection ends. The reason must come before the end.
func (r *exercise) refused(ctx context.Context) error {
	c, err := r.dial(ctx, browserSpelling)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	defer func() { _ = c.CloseNow() }()
	for n := range refusals {
		if err := say(ctx, c, map[string]string{"type": "nothing", "id": strconv.Itoa(n)}); err != nil {
			break // the frame with the reason may have arrived
		}
	}
	err = hear(ctx, c, "the reason of the end", func(f frame) (bool, error) { return f.Type == "closing", nil })
	if err != nil {
		return err
	}
	for {
		switch _, _, err := c.Read(ctx); {
		case ctx.Err() != nil:
			return errors.New("the connection does not end after the reason")
		case err != nil:
			return nil
		}
	}
}
