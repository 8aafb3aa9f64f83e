package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/coder/websocket"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/socket"
)

// TestFramePoster_WaysAnswerAlike posts to the connections of one gateway within the process and by
// signed requests.
func TestFramePoster_WaysAnswerAlike(t *testing.T) {
	t.Parallel()
	db := dynamo.LocalClient("http://127.0.0.1:1") // only for its credentials
	for name, signed := range map[string]bool{"within the process": false, "signed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serveCmd{SignedPosts: signed, DeliveryTime: readyTime}
			p, err := c.framePoster(db)
			if err != nil {
				t.Fatal(err)
			}
			g, connect := startGateway(t)
			p.serve(g)
			defer p.close()
			ws, id := connect()
			post := func(id live.ConnectionID, size int) error {
				return p.Post(t.Context(), id, []byte(strings.Repeat("x", size)))
			}
			if err := post(id, 128<<10); err != nil {
				t.Error(err)
			}
			ws.SetReadLimit(-1)
			if _, text, err := ws.Read(t.Context()); err != nil || len(text) != 128<<10 {
				t.Errorf("received %d bytes, %v", len(text), err)
			}
			if err := post(id, 128<<10+1); err == nil || errors.Is(err, live.ErrBusy) || errors.Is(err, live.ErrGone) {
				t.Errorf("too long a frame: %v", err)
			}
			if err := post("AAAAAAAAAAAAAAA=", 1); !errors.Is(err, live.ErrGone) {
				t.Errorf("a connection that never was: %v", err)
			}
			ended, cancel := context.WithTimeout(t.Context(), -1)
			defer cancel()
			if err := p.Post(ended, id, nil); !errors.Is(err, live.ErrPaced) {
				t.Errorf("a post without time: %v", err)
			}
			if err := p.Close(ended, id); !errors.Is(err, live.ErrPaced) {
				t.Errorf("a close without time: %v", err)
			}
			_, hung := connect() // it reads nothing
			for err, end := error(nil), time.Now().Add(readyTime); !errors.Is(err, live.ErrRefused); err = post(hung, 128<<10) {
				if err != nil || time.Now().After(end) {
					t.Fatalf("a client that reads nothing: %v", err)
				}
			}
			if err := post(id, 1); err != nil {
				t.Errorf("next to a client that reads nothing: %v", err)
			}
			if got := p.Pacing().Throttled; got != 0 {
				t.Errorf("one client that reads nothing lowered the pace %d times", got)
			}
			if err := p.Close(t.Context(), id); err != nil {
				t.Error(err)
			}
			if err := p.Close(t.Context(), id); !errors.Is(err, live.ErrGone) {
				t.Errorf("a second close: %v", err)
			}
			if err := post(id, 1); !errors.Is(err, live.ErrGone) {
				t.Errorf("a connection that was closed: %v", err)
			}
		})
	}
}

// startGateway starts a gateway whose functions accept everything. It returns a function that
// connects a client.
func startGateway(t *testing.T) (g *socket.Gateway, connect func() (*websocket.Conn, live.ConnectionID)) {
	t.Helper()
	ids := make(chan string, 1)
	g, err := socket.New(socket.Config{
		Routes: []socket.Route{{Key: socket.DefaultKey, Invoke: func(_ context.Context, e events.APIGatewayWebsocketProxyRequest) (events.APIGatewayProxyResponse, error) {
			ids <- e.RequestContext.ConnectionID
			return events.APIGatewayProxyResponse{StatusCode: 200}, nil
		}}},
		Authorize: func(_ context.Context, e events.APIGatewayCustomAuthorizerRequestTypeRequest) (events.APIGatewayCustomAuthorizerResponse, error) {
			return events.APIGatewayCustomAuthorizerResponse{
				PrincipalID: "amsg", PolicyDocument: events.APIGatewayCustomAuthorizerPolicy{Version: "2012-10-17", Statement: []events.IAMPolicyStatement{
					{Action: []string{"execute-api:Invoke"}, Effect: "Allow", Resource: []string{e.MethodArn}},
				}},
			}, nil
		},
		Identity: subprotocolHeader, Selector: "type", Stage: localStage, Log: slog.New(slog.DiscardHandler), Clock: time.Now, Rand: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(g)
	server.Listener = g.Prepare(server.Config, server.Listener)
	server.Start()
	t.Cleanup(func() {
		_ = g.Shutdown(t.Context()) // its context has ended: connections are cut off
		server.Close()
	})
	return g, func() (*websocket.Conn, live.ConnectionID) {
		ws, _, err := dialSocket(t, server.URL, "token", "")
		if err == nil {
			err = ws.Write(t.Context(), websocket.MessageText, []byte("hello"))
		}
		if err != nil {
			t.Fatal(err)
		}
		return ws, live.ConnectionID(<-ids)
	}
}
