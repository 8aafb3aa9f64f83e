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
	"slices"
	"strings"
	"testing"
)

// Recording is where a suite keeps its calls, below its package's folder.
const Recording = "testdata/calls.txt"

// template is the template that suites run under, relative to the repository. The stack's own tests
// check that it is the synthesized one.
const template = "infra/stack/testdata/dev.golden.json"

var write = flag.Bool("record", false, "write the recordings of SDK calls anew")

// Main runs the tests of a package whose calls r records, and compares them with the package's
// recording. A call that is not there fails; so does one that is there and was not made, once all
// tests have run and passed.
func (r *Recorder) Main(m *testing.M) int {
	code := m.Run()
	if err := r.settle(code == 0 && wholeRun()); err != nil {
		fmt.Fprintln(os.Stderr, "SDK calls:", err)
		return max(code, 1)
	}
	return code
}

// Guard runs the tests of a package below the functions and fails where one made a call that no
// role allows. It keeps no recording: what such suites call differs from run to run, and belongs to
// no function.
func (r *Recorder) Guard(m *testing.M) int {
	code := m.Run()
	if err := r.refusals(); err != nil {
		fmt.Fprintln(os.Stderr, "SDK calls:", err)
		return max(code, 1)
	}
	return code
}

// refusals returns the calls that were refused or could not be read, as one error.
func (r *Recorder) refusals() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(slices.Sorted(maps.Keys(r.faults)), "\n\t"))
}

// wholeRun reports whether no flag leaves tests out.
func wholeRun() bool {
	for _, name := range []string{"run", "skip", "list", "fuzz", "fuzzworker", "short"} {
		f := flag.Lookup("test." + name)
		if f != nil && f.Value.String() != f.DefValue {
			return false
		}
	}
	return true
}

// settle compares what was called with the recording in the working folder.
func (r *Recorder) settle(whole bool) error {
	if err := r.refusals(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	kept, err := ReadRecording(Recording)
	if err != nil && (!*write || !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	made := Calls{}
	for function, calls := range r.calls {
		made[function] = slices.Collect(maps.Keys(calls))
	}
	if *write {
		if !whole {
			made = made.And(kept) // what was left out may still be made
		}
		if err := os.MkdirAll(filepath.Dir(Recording), 0o750); err != nil {
			return err
		}
		return os.WriteFile(Recording, []byte(made.String()), 0o600)
	}
	var complaints []string
	for _, line := range made.without(kept) {
		complaints = append(complaints, "made and not in "+Recording+" (-record writes it): "+line)
	}
	if whole {
		for _, line := range kept.without(made) {
			complaints = append(complaints, "in "+Recording+" and no longer made (-record writes it): "+line)
		}
	}
	if len(complaints) > 0 {
		return errors.New(strings.Join(complaints, "\n\t"))
	}
	return nil
}

// RepositoryStack reads the template that suites run under; up leads from a package's folder to the
// repository's.
func RepositoryStack(up string) *Stack {
	s, err := ReadStack(filepath.Join(up, template))
	if err != nil {
		panic(err) // in the repository it is there
	}
	return s
}

// Proxy starts a proxy before an endpoint, and returns its address: what comes by it is called by a
// function.
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
