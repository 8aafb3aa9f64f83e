package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
)

const (
	// protocol is the subprotocol that the server selects. The token is offered as another
	// subprotocol.
	protocol     = "parley.v1"
	bearerPrefix = "bearer."
	// dialTime bounds a handshake. One that waits for a function to start takes some seconds.
	dialTime = 10 * time.Second
	// writeTime bounds one write of a small message.
	writeTime = 10 * time.Second
	// maxFrame is the largest message that API Gateway sends.
	maxFrame = 128 << 10
)

// Socket is a connection that carries text messages.
type Socket interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, text []byte) error
	Close()
}

// Dialer opens a connection with a token.
type Dialer func(ctx context.Context, address, token string) (Socket, error)

// DialSocket connects over the network.
func DialSocket(ctx context.Context, address, token string) (Socket, error) {
	return SocketDialer(&http.Client{})(ctx, address, token)
}

// SocketDialer returns a dialer that uses an HTTP client for the handshake.
func SocketDialer(c *http.Client) Dialer {
	plain := HandshakeClient(c)
	plain.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return func(ctx context.Context, address, token string) (Socket, error) {
		ctx, cancel := context.WithTimeout(ctx, dialTime)
		defer cancel()
		conn, res, err := websocket.Dial(ctx, address, &websocket.DialOptions{ //nolint:bodyclose // Dial documents that the body need not be closed
			HTTPClient: plain, Subprotocols: []string{protocol, bearerPrefix + token},
		})
		if err != nil {
			if res != nil { // the error's own text may quote headers
				return nil, fmt.Errorf("the handshake was answered with %d", res.StatusCode)
			}
			return nil, errors.New("no connection")
		}
		conn.SetReadLimit(maxFrame)
		if got := conn.Subprotocol(); got != protocol {
			_ = conn.Close(websocket.StatusProtocolError, "")
			return nil, fmt.Errorf("the server speaks %q, not %s", got, protocol)
		}
		return socket{conn}, nil
	}
}

// socket is a network connection.
type socket struct{ conn *websocket.Conn }

func (s socket) Read(ctx context.Context) ([]byte, error) {
	_, text, err := s.conn.Read(ctx)
	return text, err
}

func (s socket) Write(ctx context.Context, text []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// Close sends a closing frame and waits a few seconds for the peer's.
func (s socket) Close() { _ = s.conn.Close(websocket.StatusNormalClosure, "") }

// IsLocal reports whether host is this machine. Emulators of API Gateway use names below
// localhost.
func IsLocal(host string) bool {
	return host == "127.0.0.1" || host == "::1" || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// checkAddress refuses addresses over which a token must not be sent.
func checkAddress(address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "wss" && (u.Scheme != "ws" || !IsLocal(u.Hostname())) {
		return fmt.Errorf("the address of the socket must be wss, because the token is sent to it: %q", address)
	}
	return nil
}

// SocketAddress returns the address of the socket of a server that serves it alongside the API.
func SocketAddress(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u.Scheme = map[string]string{"http": "ws", "https": "wss"}[u.Scheme]
	return u.JoinPath("ws").String()
}

// protocolHeader offers the subprotocols. API Gateway matches header names case-sensitively when
// it looks for a token, and net/http sends the canonical form, Sec-Websocket-Protocol.
const protocolHeader = "Sec-WebSocket-Protocol"

// HandshakeClient returns a copy of an HTTP client whose requests spell Sec-WebSocket-Protocol as
// API Gateway requires, for WebSocket handshakes.
func HandshakeClient(c *http.Client) *http.Client {
	exact := *c
	exact.Transport = exactTransport{cmp.Or(c.Transport, http.DefaultTransport)}
	return &exact
}

type exactTransport struct{ base http.RoundTripper }

// RoundTrip sends a request with the exact name of the header.
func (t exactTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	canonical := http.CanonicalHeaderKey(protocolHeader)
	if offered, ok := r.Header[canonical]; ok {
		r = r.Clone(r.Context())
		delete(r.Header, canonical)
		r.Header[protocolHeader] = offered
	}
	return t.base.RoundTrip(r)
}
