package socket

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
)

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
