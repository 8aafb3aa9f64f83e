package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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
