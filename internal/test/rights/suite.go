package rights

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Recording is the path of a package's recording, relative to the package.
const Recording = "testdata/calls.txt"

// template is the path of the template whose roles are checked, relative to the repository. The
// tests of the stack check that it is the synthesized one.
const template = "infra/stack/testdata/dev.golden.json"

var write = flag.Bool("record", false, "rewrite the recordings of SDK calls")

// Main runs the tests of a package and compares their calls with the package's recording. It fails
// on a call that is not in the recording. If all tests ran and passed, it also fails on a recorded
// call that no test made.
func (r *Recorder) Main(m *testing.M) int {
	code := run(m)
	if err := r.settle(code == 0 && wholeRun()); err != nil {
		fmt.Fprintln(os.Stderr, "SDK calls:", err)
		return max(code, 1)
	}
	return code
}

// Guard runs the tests of a package and fails on a call that no role allows. It is for packages
// without a recording, because their calls belong to no function and differ between runs.
func (r *Recorder) Guard(m *testing.M) int {
	code := run(m)
	if err := r.refusals(); err != nil {
		fmt.Fprintln(os.Stderr, "SDK calls:", err)
		return max(code, 1)
	}
	return code
}

// garbagePercent lets the heap of tests grow to five times the live data, which is small. With the
// default the collector takes up to a sixth of the time of tests that use a database.
const garbagePercent = 400

func run(m *testing.M) int {
	debug.SetGCPercent(garbagePercent)
	return m.Run()
}

// refusals returns an error that lists the calls that were denied or could not be parsed.
func (r *Recorder) refusals() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(slices.Sorted(maps.Keys(r.faults)), "\n\t"))
}

// wholeRun reports whether no flag excludes tests.
func wholeRun() bool {
	for _, name := range []string{"run", "skip", "list", "fuzz", "fuzzworker", "short"} {
		f := flag.Lookup("test." + name)
		if f != nil && f.Value.String() != f.DefValue {
			return false
		}
	}
	return true
}

// recording returns the command that records the calls of the tests that ran.
func recording() string {
	if run := flag.Lookup("test.run"); run != nil && run.Value.String() != "" {
		return "go test -run '" + run.Value.String() + "' -args -record"
	}
	return "make calls"
}

// settle compares the calls with the recording in the working folder.
func (r *Recorder) settle(whole bool) error {
	if err := r.refusals(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	recorded, err := ReadRecording(Recording)
	if err != nil && (!*write || !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	called := Calls{}
	for function, calls := range r.calls {
		called[function] = slices.Collect(maps.Keys(calls))
	}
	if *write {
		if !whole {
			called = called.And(recorded) // excluded tests may make these calls
		}
		if err := os.MkdirAll(filepath.Dir(Recording), 0o750); err != nil {
			return err
		}
		return os.WriteFile(Recording, []byte(called.String()), 0o600)
	}
	var complaints []string
	for _, line := range called.without(recorded) {
		complaints = append(complaints, "made and not in "+Recording+" ("+recording()+" writes it): "+line)
	}
	if whole {
		for _, line := range recorded.without(called) {
			complaints = append(complaints, "in "+Recording+" and no longer made ("+recording()+" writes it): "+line)
		}
	}
	if len(complaints) > 0 {
		return errors.New(strings.Join(complaints, "\n\t"))
	}
	return nil
}

// RepositoryStack reads the template of the repository. The path up leads from a package's folder
// to the repository's.
func RepositoryStack(up string) *Stack {
	s, err := ReadStack(filepath.Join(up, template))
	if err != nil {
		panic(err) // the file is in the repository
	}
	return s
}

// Proxy starts a proxy in front of an endpoint and returns its address. It records the calls that
// it forwards as a function's calls.
func (r *Recorder) Proxy(t testing.TB, function, endpoint string) string {
	t.Helper()
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Transport: r.Transport(function),
		Rewrite:   func(p *httputil.ProxyRequest) { p.SetURL(to) },
	})
	t.Cleanup(server.Close)
	return server.URL
}
