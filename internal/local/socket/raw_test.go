package socket_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/local/socket"
)

const (
	opContinue = 0x0
	opText     = 0x1
	opBinary   = 0x2
	opClose    = 0x8
	opPing     = 0x9
	opPong     = 0xA
	final      = 0x80
	masked     = 0x80
)

// raw is a client that writes any bytes.
type raw struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

const handshake = "GET / HTTP/1.1\r\nHost: local\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
	"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: parley.v1, bearer.token\r\n\r\n"

func (a *api) dialRaw(t *testing.T, request string) (raw, *http.Response) {
	t.Helper()
	conn, err := a.connection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(waitTime))
	c := raw{t, conn, bufio.NewReaderSize(conn, 16)}
	c.write([]byte(request))
	resp, err := http.ReadResponse(c.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, resp
}

// connection connects to the gateway.
func (a *api) connection(ctx context.Context) (net.Conn, error) {
	if memory, ok := a.network.Transport.(*http.Transport); ok {
		return memory.DialContext(ctx, "tcp", "gateway:80")
	}
	return net.Dial("tcp", strings.TrimPrefix(a.url, "http://"))
}

func (a *api) connectRaw(t *testing.T) (raw, string) {
	t.Helper()
	before := len(a.all("CONNECT"))
	c, resp := a.dialRaw(t, handshake)
	if resp.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(resp)
	}
	return c, a.accepted(t, before+1)
}

// write writes as much as the server takes.
func (c raw) write(b []byte) {
	_, _ = c.Write(b)
}

// frame returns a frame whose mask changes nothing.
func frame(head byte, payload string) []byte {
	f := []byte{head}
	switch n := len(payload); {
	case n > 0xffff:
		f = binary.BigEndian.AppendUint64(append(f, masked|127), uint64(n))
	case n > 125:
		f = binary.BigEndian.AppendUint16(append(f, masked|126), uint16(n))
	default:
		f = append(f, masked|byte(n))
	}
	return append(append(f, 0, 0, 0, 0), payload...)
}

// next reads a frame of the server.
func (c raw) next() (op byte, payload []byte, err error) {
	head := make([]byte, 2)
	if _, err = io.ReadFull(c.r, head); err != nil {
		return 0, nil, err
	}
	n := uint64(head[1])
	if head[1] == 126 {
		size := make([]byte, 2)
		_, err = io.ReadFull(c.r, size)
		n = uint64(binary.BigEndian.Uint16(size))
	}
	payload = make([]byte, n)
	if err == nil {
		_, err = io.ReadFull(c.r, payload)
	}
	return head[0], payload, err
}

// wantClose reads up to the close frame, answers it and checks its code. The code 1006 is an end
// without a frame.
func (c raw) wantClose(want websocket.StatusCode) {
	c.t.Helper()
	for {
		op, payload, err := c.next()
		switch {
		case err != nil && want != websocket.StatusAbnormalClosure:
			c.t.Errorf("ended with %v, want the code %d", err, want)
			return
		case err != nil:
			return
		case op == final|opClose:
			if code := websocket.StatusCode(binary.BigEndian.Uint16(payload)); code != want {
				c.t.Errorf("closed with %d, want %d", code, want)
			}
			c.write(frame(final|opClose, string(payload)))
			return
		}
	}
}

// serveInMemory starts a gateway whose connections are in memory, so that a test in a bubble of
// synctest can use them. They have no buffers.
func serveInMemory(t *testing.T, change ...func(*socket.Config)) *api {
	t.Helper()
	a := newAPI(t, change...)
	s := signer
	s.Clock = a.clock
	a.url, a.management = "http://gateway", "http://management"
	listeners := map[string]wires{"gateway:80": make(wires), "management:80": make(wires)}
	servers := map[string]*http.Server{"gateway:80": {Handler: a.Gateway}, "management:80": {Handler: socket.NewManagement(a.Gateway, s)}}
	clients := a.Prepare(servers["gateway:80"], listeners["gateway:80"])
	go func() { _ = servers["gateway:80"].Serve(clients) }()
	go func() { _ = servers["management:80"].Serve(listeners["management:80"]) }()
	transport := &http.Transport{DialContext: func(_ context.Context, _, address string) (net.Conn, error) {
		here, there := net.Pipe()
		listeners[address] <- there
		return here, nil
	}}
	a.client, a.network = &http.Client{Transport: transport}, &http.Client{Transport: transport}
	t.Cleanup(func() {
		a.stop(t)
		transport.CloseIdleConnections()
		for _, server := range servers {
			_ = server.Close()
		}
	})
	return a
}

// wires is a listener of connections in memory.
type wires chan net.Conn

func (w wires) Accept() (net.Conn, error) {
	conn, ok := <-w
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (w wires) Close() error   { close(w); return nil }
func (w wires) Addr() net.Addr { return &net.UnixAddr{} }
