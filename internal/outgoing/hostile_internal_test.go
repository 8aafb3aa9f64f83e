package outgoing

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// listen accepts connections on 127.0.0.1 and returns the URL.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serve(conn)
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return "http://" + listener.Addr().String()
}

// readRequest reads a request, and reports whether there was one.
func readRequest(from *bufio.Reader) bool {
	req, err := http.ReadRequest(from)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err == nil
}

// repeat writes a text until the client closes the connection.
func repeat(conn net.Conn, text string) {
	for {
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
	}
}

func TestPost_HostileReceivers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for name, answer := range map[string]func(net.Conn){
		"closes":              func(net.Conn) {},
		"resets":              func(conn net.Conn) { _ = conn.(*net.TCPConn).SetLinger(0) },
		"closes in headers":   func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"A: b\r\n") },
		"closes in the body":  func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"Content-Length: 9\r\n\r\nshort") },
		"closes in a chunk":   func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"Transfer-Encoding: chunked\r\n\r\n9\r\nshort") },
		"is not HTTP":         func(conn net.Conn) { _, _ = io.WriteString(conn, "220 mail.example.com ESMTP\r\n") },
		"endless headers":     func(conn net.Conn) { _, _ = io.WriteString(conn, ok); repeat(conn, "A: b\r\n") },
		"endless header":      func(conn net.Conn) { _, _ = io.WriteString(conn, ok+"A: "); repeat(conn, "aaaaaaaa") },
		"endless status":      func(conn net.Conn) { repeat(conn, "HTTP/1.1 200 ") },
		"endless early hints": func(conn net.Conn) { repeat(conn, "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n") },
		"endless chunk sizes": func(conn net.Conn) {
			_, _ = io.WriteString(conn, ok+"Transfer-Encoding: chunked\r\n\r\n")
			repeat(conn, "0000000000000000")
		},
	} {
		url := listen(t, func(conn net.Conn) {
			if readRequest(bufio.NewReader(conn)) {
				answer(conn)
			}
		})
		if got, err := newLocal(t).Post(t.Context(), url, nil, []byte("{}")); err != ErrAnswer { //nolint:errorlint // it is not wrapped
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestPost_EndlessBody(t *testing.T) {
	url := listen(t, func(conn net.Conn) {
		if readRequest(bufio.NewReader(conn)) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
			repeat(conn, "again and ")
		}
	})
	if got, err := newLocal(t).Post(t.Context(), url, nil, nil); err != nil || len(got.Body) != MaxAnswer {
		t.Errorf("%d bytes arrived, %v", len(got.Body), err)
	}
}

// TestPost_SwitchingProtocols answers with a connection that stays open.
func TestPost_SwitchingProtocols(t *testing.T) {
	closed := make(chan struct{})
	url := listen(t, func(conn net.Conn) {
		from := bufio.NewReader(conn)
		if readRequest(from) {
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n")
			_, _ = io.Copy(io.Discard, from)
		}
		close(closed)
	})
	if got, err := newLocal(t).Post(t.Context(), url, nil, nil); err != nil || got.Status != http.StatusSwitchingProtocols || got.OK() {
		t.Errorf("the answer is %+v, %v", got, err)
	}
	<-closed
}

// TestPost_ClosedWhileIdle closes a connection when its second request arrives, as a server does
// whose limit for idle connections ends at that moment.
func TestPost_ClosedWhileIdle(t *testing.T) {
	requests := 0
	url := listen(t, func(conn net.Conn) {
		from := bufio.NewReader(conn)
		for range 2 {
			if !readRequest(from) {
				return
			}
			if requests++; requests != 2 {
				_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
			} else {
				return
			}
		}
	})
	c := newLocal(t)
	for range 2 {
		if got, err := c.Post(t.Context(), url, nil, []byte("{}")); err != nil || !got.OK() {
			t.Fatalf("the answer is %+v, %v", got, err)
		}
	}
	c.Close()
	if requests != 3 {
		t.Errorf("%d requests arrived, want 3", requests)
	}
}

func TestPost_NobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if _, err := newLocal(t).Post(t.Context(), "http://"+listener.Addr().String(), nil, nil); !errors.Is(err, ErrConnect) {
		t.Errorf("the error is %v", err)
	}
}

// TestPost_SlowReceivers measures the time of a bubble, where all waits are exact.
func TestPost_SlowReceivers(t *testing.T) {
	trickle := func(conn net.Conn, text string) {
		for {
			if _, err := io.WriteString(conn, text); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}
	for name, c := range map[string]struct {
		url   string
		serve func(net.Conn)
	}{
		"connects slowly": {"http://127.0.0.1:3000", nil},
		"no handshake":    {"https://example.com", func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }},
		"does not read":   {"http://127.0.0.1:3000", func(net.Conn) { time.Sleep(time.Minute) }},
		"does not answer": {"http://127.0.0.1:3000", func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }},
		"slow headers": {"http://127.0.0.1:3000", func(conn net.Conn) {
			readRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
			trickle(conn, "A: b\r\n")
		}},
		"slow body": {"http://127.0.0.1:3000", func(conn net.Conn) {
			readRequest(bufio.NewReader(conn))
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
			trickle(conn, "a")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { slow(t, c.url, c.serve) })
		})
	}
}

// slow posts to a receiver that does not answer in time, with and without an earlier deadline of the
// caller. A receiver without serve does not accept the connection.
func slow(t *testing.T, url string, serve func(net.Conn)) {
	c := New(Options{Loopback: true})
	defer c.Close()
	c.transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		if serve == nil {
			time.Sleep(2 * Timeout)
			return nil, ErrConnect
		}
		client, server := net.Pipe()
		go func() {
			serve(server)
			server.Close()
		}()
		return client, nil
	}
	for _, limit := range []time.Duration{time.Minute, 3 * time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		begin := time.Now()
		if _, err := c.Post(ctx, url, nil, []byte("{}")); !errors.Is(err, ErrTimeout) {
			t.Errorf("the error is %v", err)
		}
		if took := time.Since(begin); took != min(limit, Timeout) {
			t.Errorf("the call took %v, want %v", took, min(limit, Timeout))
		}
	}
	time.Sleep(time.Minute) // a connection may be made after the end of its call
}
