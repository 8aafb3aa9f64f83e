package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"example.com/parley/internal/follow"
	"example.com/parley/internal/local/issuer"
)

// dialSocket connects to a server's WebSocket API as a page of an origin; "" stands for a client
// without an origin.
func dialSocket(t testing.TB, url, token, origin string) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), readyTime)
	defer cancel()
	o := &websocket.DialOptions{HTTPClient: follow.HandshakeClient(http.DefaultClient), Subprotocols: []string{"parley.v1", "bearer." + token}, HTTPHeader: http.Header{}}
	if origin != "" {
		o.HTTPHeader.Set("Origin", origin)
	}
	ws, resp, err := websocket.Dial(ctx, url, o)
	if err == nil {
		t.Cleanup(func() { _ = ws.CloseNow() })
	}
	return ws, resp, err
}

// signs returns tokens of a user that last for a time.
func signs(t *testing.T, i *issuer.Issuer, user string, life time.Duration) func() string {
	return func() string {
		token, err := i.Token(user, life)
		if err != nil {
			t.Error(err)
		}
		return token
	}
}

func TestServe_WhoMayConnect(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	const page = "https://chat.example"
	s := serve(t, dir, "--origin", page)
	url := s.line(t, "live  ")
	if want := "ws" + strings.TrimPrefix(s.url, "http") + "/ws"; url != want {
		t.Errorf("announced %s, want %s", url, want)
	}
	token := tokenOf(t, dir, "amsg")
	for _, c := range []struct {
		name, token, origin string
		status              int
	}{
		{"a client", token, "", 101},
		{"a page of a configured origin", token, page, 101},
		{"a page of the server", token, s.url, 101},
		{"the same by another name", token, strings.Replace(s.url, "127.0.0.1", "localhost", 1), 101},
		{"a foreign page", token, "https://evil.example", 403},
		{"a page of another port", token, "http://localhost:1", 403},
		{"a sandboxed page", token, "null", 403},
		{"a wrong token", token + "x", "", 401},
		{"no token", "", "", 401},
		{"an expired token", tokenOf(t, dir, "amsg", "--life", "1ns"), "", 401},
	} {
		ws, resp, err := dialSocket(t, url, c.token, c.origin)
		if resp == nil || resp.StatusCode != c.status || (err == nil) != (c.status == 101) {
			t.Errorf("%s: %v, %v, want the status %d", c.name, resp, err, c.status)
		} else if err == nil && ws.Subprotocol() != "parley.v1" {
			t.Errorf("%s: subprotocol %q", c.name, ws.Subprotocol())
		}
	}
	if resp, _ := raw(t, http.MethodGet, s.url+"/ws"); resp.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("a request without an upgrade: %d", resp.StatusCode)
	}
	if all := s.logs.String(); strings.Contains(all, "eyJ") || strings.Contains(all, "bearer.") {
		t.Errorf("the log has a token:\n%s", all)
	}
}

// A server that shuts down asks its clients to come back, and stops even if one does not respond.
func TestServe_ShutdownClosesSockets(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	ws, _, err := dialSocket(t, s.line(t, "live  "), token, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := dialSocket(t, s.line(t, "live  "), token, ""); err != nil { // it never reads
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, text, err := ws.Read(t.Context())
	if err != nil || string(text) != `{"type":"closing","reason":"going-away"}` {
		t.Errorf("the last frame is %s, %v", text, err)
	}
	if _, _, err := ws.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("closed with %v", err)
	}
	select {
	case err := <-s.done:
		if err != nil {
			t.Errorf("exited with %v\n%s", err, s.logs)
		}
	case <-time.After(readyTime):
		t.Errorf("the server does not exit\n%s", s.logs)
	}
}

func TestWithLoopbackNames(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://localhost:3000": "http://localhost:3000 http://127.0.0.1:3000", "http://127.0.0.1": "http://127.0.0.1 http://localhost",
		"https://chat.example": "https://chat.example", "http://localhost.example:3000": "http://localhost.example:3000", "*": "*",
		"http://192.0.2.7:3000": "http://192.0.2.7:3000",
	} {
		if got := strings.Join(withLoopbackNames([]string{given}), " "); got != want {
			t.Errorf("%s gives %s, want %s", given, got, want)
		}
	}
}

func TestServe_AllowsAnOriginUnderBothNames(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--origin", "http://localhost:3000")
	for origin, want := range map[string]bool{"http://localhost:3000": true, "http://127.0.0.1:3000": true, "http://127.0.0.1:3001": false} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/openapi.json", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if allowed := res.Header.Get("Access-Control-Allow-Origin") == origin; allowed != want {
			t.Errorf("%s is allowed: %v, want %v", origin, allowed, want)
		}
	}
}

// TestServe_CutsOffAClientThatReadsNothing requests more than the buffers of a connection hold,
// and reads nothing until the write limit has passed. The server, whose limit the test shortens,
// has then ended the connection but serves another one. A slow server needs longer to fill the
// buffers: the client then waits twice as long.
func TestServe_CutsOffAClientThatReadsNothing(t *testing.T) {
	t.Parallel()
	const limit = time.Second
	c := serveCmd{
		data: data{Data: dataDir(t)}, SendRate: 1000, RoomCreators: "everyone", Directory: "everyone", NameClaim: "username", LogLevel: "error",
		writeLimit: limit,
	}
	if writeTime < readTime || writeTime > 5*time.Minute {
		t.Errorf("the limit of writing is %v", writeTime)
	}
	url, stop := serveWithin(t, c)
	for pause := 3 * limit; !cutsOff(t, strings.TrimPrefix(url, "http://"), pause); pause *= 2 {
		if 2*pause > readyTime {
			t.Error("every request is answered, or none")
			break
		}
	}
	stop()
}

// cutsOff sends requests, and reads after a pause. It reports whether some are answered, but not all.
func cutsOff(t *testing.T, addr string, pause time.Duration) bool {
	t.Helper()
	const requests = 400
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	request := "GET /openapi.json HTTP/1.1\r\nHost: " + addr + "\r\n\r\n"
	if _, err := io.WriteString(conn, strings.Repeat(request, requests)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(pause)
	awaitServer(t, "http://"+addr) // it serves others
	if err := conn.SetReadDeadline(time.Now().Add(readyTime)); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(conn) // it ends with EOF or a reset
	if os.IsTimeout(err) {
		t.Errorf("the connection is open after %d bytes: %v", len(text), err)
	}
	n := strings.Count(string(text), "HTTP/1.1 200 OK")
	t.Logf("%d answers to %d requests", n, requests)
	return n > 0 && n < requests
}

// awaitServer waits until a server answers.
func awaitServer(t *testing.T, url string) {
	t.Helper()
	for range int(readyTime / pollInterval) {
		if status, _, err := call(t.Context(), http.MethodGet, url+"/openapi.json", "", ""); err == nil && status == http.StatusOK {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Fatal("the server is not ready")
}

// TestServe_WarnsAboutOtherMachines starts servers with an invalid data folder, so that they end
// before they answer anybody.
func TestServe_WarnsAboutOtherMachines(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for addr, warns := range map[string]bool{"127.0.0.1:0": false, "[::1]:0": false, "localhost:0": false, "0.0.0.0:0": true} {
		logs := &lockedBuffer{}
		c := serveCmd{data: data{Data: file}, SendRate: 1, RoomCreators: "everyone", Directory: "everyone", NameClaim: "username", LogLevel: "warn", Addr: addr}
		if err := c.Run(t.Context(), streams{Out: io.Discard, Err: logs}); err == nil {
			t.Errorf("%s: the server has begun", addr)
		}
		if strings.Contains(logs.String(), "without TLS") != warns {
			t.Errorf("%s: the log is %q", addr, logs)
		}
	}
}
