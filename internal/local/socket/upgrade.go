package socket

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// keySize is the size of the key of a handshake (RFC 6455, section 4.1).
const keySize = 16

// handshakeFault returns the status for a request that does not ask for a WebSocket, or 0 if it
// does.
func handshakeFault(r *http.Request) int {
	key, err := base64.StdEncoding.DecodeString(r.Header.Get("Sec-WebSocket-Key"))
	switch {
	case !hasToken(r.Header, "Connection", "upgrade") || !hasToken(r.Header, "Upgrade", "websocket"):
		return http.StatusUpgradeRequired
	case r.Method != http.MethodGet || !r.ProtoAtLeast(1, 1) || len(r.Header.Values("Sec-WebSocket-Key")) != 1 ||
		err != nil || len(key) != keySize || r.Header.Get("Sec-WebSocket-Version") != "13":
		return http.StatusBadRequest
	}
	return 0
}

// hasToken reports whether a header has a token among its comma-separated values.
func hasToken(h http.Header, name, token string) bool {
	for _, value := range h.Values(name) {
		for one := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(one), token) {
				return true
			}
		}
	}
	return false
}

// accept completes the handshake. The connection continues after the request.
func (g *Gateway) accept(w http.ResponseWriter, r *http.Request, c *conn, protocol string) {
	hijacker := &meteredWriter{ResponseWriter: w, writeTime: cmp.Or(g.cfg.WriteTime, writeTimeout)}
	options := websocket.AcceptOptions{
		InsecureSkipVerify: true, // as in the service, the authorizer decides on origins
		CompressionMode:    websocket.CompressionDisabled,
	}
	if protocol != "" {
		options.Subprotocols = []string{protocol}
	}
	var err error
	if c.ws, err = websocket.Accept(hijacker, r, &options); err != nil {
		g.cfg.Log.WarnContext(r.Context(), "the handshake failed", "connection", c.id, "error", err)
		c.closing = &lost
		g.disconnect(c)
		return
	}
	c.meter = hijacker.meter
	c.ws.SetReadLimit(maxMessage)
	if !g.add(c) {
		_ = c.ws.Close(goingAway.code, goingAway.reason)
		c.closing = &goingAway
		g.disconnect(c)
		return
	}
	go c.serve()
}

// meteredWriter is a response whose connection measures its frames and has small buffers.
type meteredWriter struct {
	http.ResponseWriter
	writeTime time.Duration
	meter     *meter
}

// Hijack takes over the connection from the server.
func (m *meteredWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(m.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if spelled, ok := conn.(*spellingConn); ok {
		conn = spelled.Conn // frames have no headers
	}
	read, err := buffers.Peek(buffers.Reader.Buffered())
	if err != nil {
		return nil, nil, err
	}
	m.meter = &meter{Conn: conn, rest: bytes.Clone(read), writeTime: m.writeTime}
	return m.meter,
		bufio.NewReadWriter(bufio.NewReaderSize(m.meter, bufferSize), bufio.NewWriterSize(m.meter, bufferSize)), nil
}

// errUnprepared is the error of a request of a server that was not prepared.
var errUnprepared = errors.New("the gateway is behind a server without Prepare, which hides how clients spell headers")

// Prepare lets a gateway see how the clients of a server spell the identity's header. The service
// treats another spelling as another header, but a server passes on only canonical names. Prepare
// changes the server's ConnContext, and returns the listener on which it must serve.
func (g *Gateway) Prepare(s *http.Server, l net.Listener) net.Listener {
	before := s.ConnContext
	s.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		if before != nil {
			ctx = before(ctx, conn)
		}
		return context.WithValue(ctx, readerKey{}, conn)
	}
	return spellingListener{l, g.cfg.Identity}
}

// readerKey is the key of a connection in the context of its requests.
type readerKey struct{}

// spelling returns how a client spells the identity's header, which it has sent.
func (g *Gateway) spelling(r *http.Request) (string, error) {
	conn, ok := r.Context().Value(readerKey{}).(*spellingConn)
	if !ok {
		return "", errUnprepared
	}
	conn.mu.Lock()
	defer conn.mu.Unlock()
	return string(conn.found), nil
}

type spellingListener struct {
	net.Listener
	name string
}

// Accept returns a connection that remembers the spelling of a header.
func (l spellingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &spellingConn{Conn: conn, name: l.name, at: notAtStart}, nil
}

// notAtStart is the position within a line that does not begin with the name.
const notAtStart = -1

// spellingConn remembers the spelling of the last line that begins with a header's name. Until the
// connection is taken from the server, that line is in the head of the current request.
type spellingConn struct {
	net.Conn
	name string

	mu    sync.Mutex
	at    int    // how much of the line was read, while it is the beginning of the name
	begun []byte // that much of the line
	found []byte
}

// Read looks for the name in the bytes that it returns.
func (c *spellingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.search(p[:n])
	return n, err
}

func (c *spellingConn) search(p []byte) {
	for len(p) > 0 {
		if c.at == notAtStart {
			end := bytes.IndexByte(p, '\n')
			if end < 0 {
				return
			}
			p, c.at, c.begun = p[end+1:], 0, c.begun[:0]
			continue
		}
		switch char := p[0]; {
		case c.at == len(c.name) && char == ':':
			c.found, c.at = bytes.Clone(c.begun), notAtStart
		case c.at < len(c.name) && strings.EqualFold(string(char), c.name[c.at:c.at+1]):
			c.begun = append(c.begun, char)
			c.at++
		default:
			c.at = notAtStart
			continue // the byte may end the line
		}
		p = p[1:]
	}
}
