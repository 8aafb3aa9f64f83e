package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/local/issuer"
)

// parley is a chat serve as a peer. Its room is localRoom.
type parley struct {
	server    *runningServer
	clients   []*runningServer // the same server, with each client's token
	tokens    *issuer.Issuer
	sent      atomic.Int64
	listeners atomic.Int64
}

func startParley(ctx context.Context, scale Scale) (*parley, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	// The answers of the peers are not compressed either.
	s.client.Transport.(*http.Transport).DisableCompression = true
	p := &parley{server: s}
	if err := p.connect(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// connect makes the room and the clients' tokens.
func (p *parley) connect(ctx context.Context) (err error) {
	if p.tokens, err = p.server.tokens(); err != nil {
		return err
	}
	for n := range peerClients {
		client := *p.server
		if client.token, err = p.tokens.Token(fmt.Sprintf("client-%d", n), tokensLife); err != nil {
			return err
		}
		p.clients = append(p.clients, &client)
	}
	_, err = p.server.call(ctx, http.MethodPut, "/rooms/"+localRoom, "{}")
	return err
}

func (p *parley) send(ctx context.Context, client int, text string) error {
	_, err := p.clients[client].call(
		ctx, http.MethodPost, "/rooms/"+localRoom+"/messages", fmt.Sprintf(`{"text":%q}`, text),
	)
	if err == nil {
		p.sent.Add(1)
	}
	return err
}

func (p *parley) newest(ctx context.Context, client int) (int, error) {
	got, err := p.clients[client].page(ctx, fmt.Sprintf("messages?limit=%d", pageMessages))
	return len(got.Items), err
}

func (p *parley) behind(ctx context.Context, n int) (string, error) {
	return p.server.behind(ctx, int(p.sent.Load()), n)
}

func (p *parley) since(ctx context.Context, position string, n int) error {
	return p.server.catchUp(ctx, position, n)
}

func (p *parley) backwards(ctx context.Context) (int, error) { return p.server.backwards(ctx) }

func (p *parley) listen(ctx context.Context, got func([]byte)) (func(), error) {
	token, err := p.tokens.Token(listenerOf(localRoom, int(p.listeners.Add(1))), tokensLife)
	if err != nil {
		return nil, err
	}
	conn, err := follow.DialSocket(ctx, follow.SocketAddress(p.server.url), token)
	if err != nil {
		return nil, err
	}
	if err := conn.Write(
		ctx, []byte(`{"type":"hello","id":"1","rooms":[{"id":"`+localRoom+`","mode":"full"}]}`),
	); err != nil {
		return nil, err
	}
	if ack, err := conn.Read(ctx); err != nil || !strings.Contains(string(ack), `"ack"`) {
		return nil, errors.Join(err, fmt.Errorf("no ack: %s", ack))
	}
	go func() {
		for {
			frame, err := conn.Read(context.WithoutCancel(ctx))
			if err != nil {
				return
			}
			got(frame)
		}
	}()
	return conn.Close, nil
}

func (p *parley) stop() { p.server.end() }
