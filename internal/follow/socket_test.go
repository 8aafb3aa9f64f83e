package follow_test

import (
	"bufio"
	"net"
	"net/http"
	"strings"
	"testing"

	"example.com/parley/internal/follow"
)

// TestDialSocket_SpellsTheHeaderAsAPIGatewayDoes reads the bytes of a handshake, since a net/http
// server shows only the canonical name.
func TestDialSocket_SpellsTheHeaderAsAPIGatewayDoes(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	heads := make(chan string, 1)
	go func() { heads <- answerOnce(listener) }()
	_, err = follow.DialSocket(t.Context(), "ws://"+listener.Addr().String(), "token")
	if err == nil || !strings.Contains(err.Error(), "answered with 401") {
		t.Error(err)
	}
	head := <-heads
	if !strings.Contains(head, "\r\nSec-WebSocket-Protocol: parley.v1,bearer.token\r\n") || strings.Contains(head, "Sec-Websocket-Protocol") {
		t.Errorf("the handshake is %q", head)
	}
}

// answerOnce refuses one request and returns its header.
func answerOnce(listener net.Listener) string {
	conn, err := listener.Accept()
	if err != nil {
		return err.Error()
	}
	defer func() { _ = conn.Close() }()
	var head strings.Builder
	for lines := bufio.NewScanner(conn); lines.Scan() && lines.Text() != ""; {
		head.WriteString("\r\n" + lines.Text())
	}
	_, _ = conn.Write([]byte("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
	return head.String() + "\r\n"
}

// exactHeader is not the canonical form of the name.
const exactHeader = "Sec-WebSocket-Protocol"

// TestHandshakeClient_LeavesRequestsAlone checks that a client keeps its transport, and a request
// its headers.
func TestHandshakeClient_LeavesRequestsAlone(t *testing.T) {
	t.Parallel()
	var sent map[string][]string
	c := &http.Client{Transport: transport(func(r *http.Request) { sent = r.Header })}
	exact := follow.HandshakeClient(c)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://chat.example", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(exactHeader, "parley.v1")
	res, err := exact.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if len(sent[exactHeader]) != 1 || r.Header.Get(exactHeader) != "parley.v1" {
		t.Errorf("sent %v of %v", sent, r.Header)
	}
	if res, err = c.Do(r); err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if len(sent[exactHeader]) != 0 {
		t.Errorf("the given client sends %v", sent)
	}
}

// transport answers every request with 204.
type transport func(*http.Request)

func (see transport) RoundTrip(r *http.Request) (*http.Response, error) {
	see(r)
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody, Request: r}, nil
}
