package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// maxRequests bounds the requests of a mortal before it is killed: some of them for changes, some to
// act on these.
const maxRequests = 6

// maxWork bounds how long a program works on a response until it is killed: it stores 100 changes in
// less.
const maxWork = 20 * time.Millisecond

// mortal is a program of a folder in examples, with a network before its server that kills it.
type mortal struct {
	proxy *httputil.ReverseProxy
	args  []string
	token string
	env   []string // more variables
	logs  *lockedBuffer

	mu    sync.Mutex
	cmd   *exec.Cmd
	left  int  // the requests until it is killed; 0 if it survives
	fate  fate // of the last of them
	work  time.Duration
	lost  string // the room whose changes are no longer stored, or empty
	reset int    // how often the program was told so
}

// buildExample compiles a program of a folder in examples, which may have a module of its own.
func buildExample(t *testing.T, folder string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-C", "../../examples/"+folder, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// behindNetwork prepares a program whose requests to a server at address may kill it.
func behindNetwork(t *testing.T, s *server, folder string) (m *mortal, address string) {
	t.Helper()
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	m = &mortal{proxy: httputil.NewSingleHostReverseProxy(target), logs: &lockedBuffer{}}
	m.proxy.ModifyResponse, m.proxy.ErrorLog = m.forget, log.New(m.logs, "", 0)
	network := httptest.NewServer(m)
	t.Cleanup(network.Close)
	m.args = []string{buildExample(t, folder)}
	t.Cleanup(func() { m.kill(t) })
	return m, network.URL
}

// newMortal prepares a program as a service, and starts it until it has created its hook.
func newMortal(t *testing.T, s *server, folder string, args ...string) *mortal {
	t.Helper()
	m, address := behindNetwork(t, s, folder)
	m.token = tokenOf(t, s.dir, "programs", "--service")
	m.args = append(append(m.args, "-url", address, "-pause", "20ms"), args...)
	m.start(t, 0, survives)
	waitFor(t, "the hook", func() bool {
		status, _, err := call(t.Context(), "GET", s.url+"/hooks/"+folder, m.token, "")
		return err == nil && status == 200
	})
	m.kill(t)
	return m
}

func (m *mortal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.left--
	last, fate, cmd, work := m.left == 0, m.fate, m.cmd, m.work
	m.mu.Unlock()
	r.Header.Del("Accept-Encoding") // so that forget can read the body
	switch {
	case !last:
		m.proxy.ServeHTTP(w, r)
		return
	case fate == whileWorking:
		m.proxy.ServeHTTP(w, r)
		_ = http.NewResponseController(w).Flush()
		time.Sleep(work) // no condition shows from outside what the program does
		_ = cmd.Process.Kill()
		return
	case fate == afterAnswer:
		m.proxy.ServeHTTP(discarded{http.Header{}}, r)
	}
	_ = cmd.Process.Kill()
	panic(http.ErrAbortHandler)
}

// forget replaces the changes of the lost room in an answer by a reset.
func (m *mortal) forget(r *http.Response) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lost == "" || !strings.HasSuffix(r.Request.URL.Path, "/changes") || r.StatusCode != http.StatusOK {
		return nil
	}
	var answer struct {
		ID    string           `json:"id,omitempty"`
		Items []map[string]any `json:"items"`
		More  bool             `json:"more"`
	}
	err := json.NewDecoder(r.Body).Decode(&answer)
	for _, room := range answer.Items {
		if room["id"] == m.lost {
			room["reset"], room["changes"] = true, []any{}
			m.reset++
		}
	}
	text, _ := json.Marshal(answer)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return err
}

// lose makes the changes of a room unavailable.
func (m *mortal) lose(room string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lost = room
}

// resets returns how often the program was told that changes were lost.
func (m *mortal) resets() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reset
}

// start starts the program again. It is killed at one of its next requests, unless that is 0.
func (m *mortal) start(t *testing.T, request int, at fate) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left, m.fate = request, at
	m.cmd = exec.Command(m.args[0], m.args[1:]...)
	m.cmd.Env = append(append(os.Environ(), "TOKEN="+m.token), m.env...)
	m.cmd.Stderr = m.logs
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// die starts the program, which is killed somewhere, and meanwhile calls act.
func (m *mortal) die(t *testing.T, random *rand.Rand, act func()) {
	t.Helper()
	fates := []fate{beforeAnswer, afterAnswer, whileWorking}
	m.dieAt(t, random, 2+random.IntN(maxRequests), fates[random.IntN(len(fates))], act) // the first creates the hook
}

// dieAt starts the program, which is killed at one of its requests, and meanwhile calls act.
func (m *mortal) dieAt(t *testing.T, random *rand.Rand, request int, at fate, act func()) {
	t.Helper()
	m.mu.Lock()
	m.work = time.Duration(random.Int64N(int64(maxWork)))
	m.mu.Unlock()
	m.start(t, request, at)
	act()
	m.wait(t)
}

// kill ends the program at any point.
func (m *mortal) kill(t *testing.T) {
	if m.cmd != nil && m.cmd.Process != nil && m.cmd.ProcessState == nil {
		_ = m.cmd.Process.Kill()
		m.wait(t)
	}
}

// wait waits until the program was killed.
func (m *mortal) wait(t *testing.T) {
	t.Helper()
	if err := m.cmd.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("the program ended with %v\n%s", err, m.logs)
	}
}
