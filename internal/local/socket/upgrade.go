package socket

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"net"
	"net/http"
	"strings"
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
