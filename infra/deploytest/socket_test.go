//go:build deploy

package deploytest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/config"
	"example.com/parley/internal/follow"
)

// liveTime bounds the time until a socket hears of a post: a second, or more on a busy machine.
const liveTime = 20 * time.Second

// connect opens a connection with the subprotocols of a client.
func (d *deployment) connect(ctx context.Context, subprotocols ...string) (*websocket.Conn, error) {
	c, _, err := websocket.Dial(ctx, d.outputs["SocketUrl"], &websocket.DialOptions{HTTPClient: follow.HandshakeClient(d.client()), Subprotocols: subprotocols})
	return c, err
}

// testSocket connects to live delivery, and hears of a post.
func testSocket(t *testing.T, d *deployment) {
	erin := d.signUp(t, "erin")
	d.socketsReachable(t)
	in := map[string]string{"room": "live"}
	if _, err := erin.do(t.Context(), call{route: "PUT /rooms/{room}", path: in, body: `{"name":"Live"}`, status: 201}); err != nil {
		t.Fatal(err)
	}
	for name, subprotocols := range map[string][]string{
		"no subprotocol":   nil,
		"no token":         {config.Subprotocol},
		"an invalid token": {config.Subprotocol, "bearer." + erin.token + "x"},
	} {
		if c, err := d.connect(t.Context(), subprotocols...); err == nil {
			_ = c.CloseNow()
			t.Errorf("a client with %s is let in", name)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), liveTime)
	defer cancel()
	c, err := d.connect(ctx, config.Subprotocol, "bearer."+erin.token)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.CloseNow() }()
	if c.Subprotocol() != config.Subprotocol {
		t.Errorf("the subprotocol is %q", c.Subprotocol())
	}
	if err := c.Write(ctx, websocket.MessageText, []byte(`{"type":"hello","id":"1","rooms":[{"id":"live"}]}`)); err != nil {
		t.Fatal(err)
	}
	if err := hear(ctx, c, "ack", `"id":"live"`); err != nil {
		t.Fatal(err)
	}
	if _, err := erin.do(t.Context(), call{route: "POST /rooms/{room}/messages", path: in, body: `{"text":"heard at once"}`, status: 201}); err != nil {
		t.Fatal(err)
	}
	if err := hear(ctx, c, "changes", "heard at once"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Error(err)
	}
}

// hear reads frames up to one of a type that holds a text.
func hear(ctx context.Context, c *websocket.Conn, kind, holds string) error {
	for {
		_, text, err := c.Read(ctx)
		if err != nil {
			return fmt.Errorf("wait for a frame %s with %s: %w", kind, holds, err)
		}
		var frame struct{ Type string }
		if err := json.Unmarshal(text, &frame); err != nil {
			return fmt.Errorf("%w: %s", err, text)
		}
		if frame.Type == kind && strings.Contains(string(text), holds) {
			return nil
		}
	}
}

// socketsReachable lets the authorizer fetch the issuer's keys, and gives the functions that send
// frames a path to the connections which needs no resolver.
func (d *deployment) socketsReachable(t *testing.T) {
	t.Helper()
	ids := d.resources(t)
	d.reachable(t, ids["AuthorizerFunction"])
	address := d.endpoint() + "/_aws/execute-api/" + ids["SocketApi"] + "/ws"
	for _, function := range []string{"SocketFunction", "FeedFunction"} {
		d.setVariables(t, ids[function], map[string]string{config.EnvSocketEndpoint: address})
	}
}
