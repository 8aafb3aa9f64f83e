package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/config"
)

// asCommand makes the test binary run as the chat command, so that tests can start real processes
// without building the command.
const asCommand = "PARLEY_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// readyTime bounds the wait for something that does not happen.
const readyTime = time.Minute

// pollInterval is the interval between checks of a condition.
const pollInterval = 10 * time.Millisecond

// command returns a process of the chat command.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(withoutAWS(os.Environ()), asCommand+"=1")
	return cmd
}

// withoutAWS returns an environment without AWS credentials.
func withoutAWS(environ []string) []string {
	environ = slices.DeleteFunc(environ, func(v string) bool { return strings.HasPrefix(v, "AWS_") })
	return append(environ, "AWS_EC2_METADATA_DISABLED=true", "AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull)
}

// server is a running chat serve.
type server struct {
	url  string
	dir  string
	cmd  *exec.Cmd
	out  *lockedBuffer // its standard output
	logs *lockedBuffer
	done chan error
}

// line waits for a line of the standard output with a prefix. It returns the rest of the line.
func (s *server) line(t testing.TB, prefix string) string {
	t.Helper()
	for range int(readyTime / pollInterval) {
		for line := range strings.Lines(s.out.String()) {
			if rest, ok := strings.CutPrefix(line, prefix); ok && strings.HasSuffix(rest, "\n") {
				return strings.TrimSuffix(rest, "\n")
			}
		}
		time.Sleep(pollInterval)
	}
	t.Fatalf("no line has the prefix %q:\n%s", prefix, s.out)
	return ""
}

// serve starts a server on a data folder and waits until it is ready.
func serve(t testing.TB, dir string, args ...string) *server {
	t.Helper()
	return start(t, dir, func(*exec.Cmd) {}, args...)
}

// start works like serve, with a command that prepare changes.
func start(t testing.TB, dir string, prepare func(*exec.Cmd), args ...string) *server {
	t.Helper()
	cmd := command(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, args...)...)
	prepare(cmd)
	s := &server{cmd: cmd, dir: dir, out: &lockedBuffer{}, logs: &lockedBuffer{}, done: make(chan error, 1)}
	cmd.Stderr = s.logs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it may have exited
	ready := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			_, _ = io.WriteString(s.out, lines.Text()+"\n")
			if url, ok := strings.CutPrefix(lines.Text(), "ready "); ok {
				ready <- strings.Fields(url)[0]
			}
		}
		s.done <- cmd.Wait()
	}()
	select {
	case s.url = <-ready:
	case err := <-s.done:
		t.Fatalf("serve exited: %v\n%s", err, s.logs)
	case <-time.After(readyTime):
		t.Fatalf("serve is not ready\n%s", s.logs)
	}
	return s
}

// end sends a signal and waits for the exit.
func (s *server) end(t testing.TB, signal os.Signal) error {
	t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.done:
		return err
	case <-time.After(readyTime):
		t.Fatalf("the server does not exit\n%s", s.logs)
		return nil
	}
}

// tokenOf returns a token of a user, printed by the command.
func tokenOf(t testing.TB, dir, user string, args ...string) string {
	t.Helper()
	out, err := command(t, append([]string{"token", "--data", dir, "--user", user}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// call sends one request. The error reports a failed connection, not a failed response.
func call(ctx context.Context, method, url, token, body string) (status int, text string, err error) {
	return callIf(ctx, method, url, request{token: token, body: body})
}

// request holds the contents of a request. If ifMatch is empty, no If-Match header is sent.
type request struct{ token, body, ifMatch string }

func callIf(ctx context.Context, method, url string, with request) (status int, text string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(with.body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/json")
	if with.token != "" {
		r.Header.Set("Authorization", "Bearer "+with.token)
	}
	if with.ifMatch != "" {
		r.Header.Set("If-Match", with.ifMatch)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, string(b), err
}

func mustCall(t testing.TB, want int, method, url, token, body string) string {
	t.Helper()
	status, text, err := call(t.Context(), method, url, token, body)
	if err != nil || status != want {
		t.Fatalf("%s %s: %d, want %d, %v\n%s", method, url, status, want, err, text)
	}
	return text
}

// lockedBuffer is a buffer that a process writes while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func dataDir(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "data")
	t.Cleanup(func() { // the engine of a killed server may still create a file while it ends
		for range int(readyTime / pollInterval) {
			if os.RemoveAll(dir) == nil {
				return // otherwise TempDir reports the error
			}
			time.Sleep(pollInterval)
		}
	})
	return dir
}

func TestOpenAPI_PrintsBothForms(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{"": `"openapi": "3.1.0"`, "--form 3.0": `"openapi": "3.0.3"`} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"openapi"}, strings.Fields(args)...), &out, &errs)
		if status != exitDone || !strings.Contains(out.String(), want) {
			t.Errorf("chat openapi %s exits with %d and lacks %s: %s", args, status, want, errs.String())
		}
	}
}

func TestVersion_NamesVersionAndCommit(t *testing.T) {
	t.Parallel()
	built := func(pairs ...string) *debug.BuildInfo {
		var info debug.BuildInfo
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return &info
	}
	tests := []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"a commit", built("vcs.revision", "abc", "vcs.time", "2026-11-21T19:00:00Z", "vcs.modified", "false"), "parley " + config.Version + " abc 2026-11-21T19:00:00Z"},
		{"changes on top", built("vcs.revision", "abc", "vcs.time", "2026-11-21T19:00:00Z", "vcs.modified", "true"), "parley " + config.Version + " abc 2026-11-21T19:00:00Z modified"},
		{"no repository", built("GOOS", "linux"), "parley " + config.Version + ", built outside of a repository"},
	}
	for _, tt := range tests {
		if got := version(tt.info); got != tt.want {
			t.Errorf("%s: version = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestVersion_IsACommand(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"version"}, &out, &errs); status != exitDone || !strings.HasPrefix(out.String(), "parley "+config.Version) {
		t.Errorf("chat version exits with %d and prints %q, %q", status, out.String(), errs.String())
	}
}
