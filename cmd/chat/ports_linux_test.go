package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// foreign is a page of another site. Its name may resolve to this machine (DNS rebinding).
const foreign = "evil.example"

// TestServe_ForeignPagesReadNothing sends the requests that a page of another site can send to
// every port of a server. The engine answers every page, so nothing may reveal its port.
func TestServe_ForeignPagesReadNothing(t *testing.T) {
	t.Parallel()
	t.Run("by default", func(t *testing.T) {
		t.Parallel()
		readsNothing(t, 2) // the API and the engine
	})
	t.Run("signed posts", func(t *testing.T) {
		t.Parallel()
		readsNothing(t, 3, "--signed-posts") // also the calls to connections
	})
}

func readsNothing(t *testing.T, want int, flags ...string) {
	s := serve(t, dataDir(t), flags...)
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", tokenOf(t, s.dir, "amsg"), "{}")
	engine := portOf(t, s.engine(t))
	if said := s.out.String() + s.logs.String(); strings.Contains(said, strconv.Itoa(engine)) {
		t.Errorf("the server prints the engine's port %d:\n%s", engine, said)
	}
	ports := listening(t, s.cmd.Process.Pid)
	if len(ports) != want || !slices.Contains(ports, engine) || !slices.Contains(ports, portOf(t, s.url)) {
		t.Fatalf("the server listens on %v", ports)
	}
	for _, port := range ports {
		if port == engine {
			continue
		}
		for _, r := range []struct{ method, path, body string }{
			{"GET", "/", ""}, {"GET", "/rooms", ""}, {"GET", "/rooms/seattle/messages", ""}, {"GET", "/people/me", ""},
			{"OPTIONS", "/rooms/seattle/messages", ""}, {"POST", "/rooms/seattle/messages", `{"text":"x"}`},
			{"POST", "/local/sign-in", `{"user":"amsg"}`}, {"GET", "/@connections/x", ""}, {"POST", "/@connections/x", "{}"},
			{"GET", socketPath, ""}, {"GET", "/openapi.json", ""}, {"POST", "/", `{"TableName":"parley"}`},
		} {
			for _, host := range []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("%s:%d", foreign, port)} {
				askForeign(t, port, host, r.method, r.path, r.body)
			}
		}
	}
}

// askForeign sends a request of a foreign page. Its script may not read responses of another
// origin. Under a foreign name it gets nothing that any other site's page would not get.
func askForeign(t *testing.T, port int, host, method, path, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, fmt.Sprintf("http://127.0.0.1:%d%s", port, path), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	req.Header.Set("Origin", "http://"+foreign)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810.Scan")
	if method == http.MethodOptions {
		req.Header.Set("Access-Control-Request-Method", http.MethodPost)
	}
	if path == socketPath {
		for name, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-Websocket-Version": "13", "Sec-Websocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="} {
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %s to %s: %v", method, path, host, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if allowed := resp.Header.Get("Access-Control-Allow-Origin"); allowed != "" {
		t.Errorf("%s %s to %s allows %q to read the answer", method, path, host, allowed)
	}
	public := method == http.MethodGet && (path == "/" || path == "/openapi.json")
	if resp.StatusCode < http.StatusBadRequest && !public {
		t.Errorf("%s %s to %s answers %d", method, path, host, resp.StatusCode)
	}
}

func portOf(t *testing.T, address string) int {
	t.Helper()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// listening returns the TCP ports on which a process or one of its children listens.
func listening(t *testing.T, pid int) []int {
	t.Helper()
	sockets := map[string]bool{} // inodes
	for _, pid := range append(children(t, pid), pid) {
		files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if to, err := os.Readlink(f); err == nil { // it may have been closed
				sockets[strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]")] = true
			}
		}
	}
	var ports []int
	for _, family := range []string{"tcp", "tcp6"} {
		for _, fields := range rows(t, "/proc/net/"+family) {
			const listen, local, state, inode = "0A", 1, 3, 9
			if len(fields) <= inode || fields[state] != listen || !sockets[fields[inode]] {
				continue
			}
			_, port, _ := strings.Cut(fields[local], ":")
			n, err := strconv.ParseUint(port, 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			ports = append(ports, int(n))
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

func children(t *testing.T, pid int) []int {
	t.Helper()
	var all []int
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, fields := range rows(t, f) {
			for _, field := range fields {
				child, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, child)
			}
		}
	}
	return all
}

// rows returns the fields of each line of a kernel file.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all [][]string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		all = append(all, strings.Fields(lines.Text()))
	}
	return all
}
