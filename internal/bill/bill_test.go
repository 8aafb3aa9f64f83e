package bill

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// guide is the page with the tables of a team's month.
const guide = "quotas.md"

// between returns the lines of a page between two markers.
func between(t *testing.T, page, begin, end string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), begin)
	shown, _, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no lines %q and %q", page, begin, end)
	}
	return shown
}

// states checks that a page contains sentences, however they are wrapped.
func states(t *testing.T, page string, sentences ...string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sentences {
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), s) {
			t.Errorf("docs/%s does not state %q; compute its table again", page, s)
		}
	}
}

func TestLiveMarkdown_MatchesTheGuide(t *testing.T) {
	t.Parallel()
	if between(t, guide, "<!-- Connections: go run ./cmd/bench connections -->\n", "<!-- End of connections -->\n") != LiveMarkdown() {
		t.Errorf("the guide is stale. Replace the lines between its markers by the output of go run ./cmd/bench connections:\n%s", LiveMarkdown())
	}
	idle := connected(clients * 24 * 60 * daysPerMonth).lines()
	states(t, "performance.md", "| 1,000 idle connections, a month | | | | | | **"+dollars(Total(idle))+"** |")
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{0: "0", 10: "10", 0.0184: "0.018", 1.93: "1.9", 95.13: "95.1", 345.6: "346", 3822.2: "3,822", 1_000_000: "1,000,000"} {
		if got := number(f); got != want {
			t.Errorf("number(%v) = %q, want %q", f, got, want)
		}
	}
}

// TestGuide_CoversTheBuild measures the built web app.
func TestGuide_CoversTheBuild(t *testing.T) {
	t.Parallel()
	const most, mostKB = 112, 255
	states(t, guide, fmt.Sprintf("at most %d files of %d KB together", most, mostKB))
	files, size := 1, 0 // the configuration
	err := fs.WalkDir(os.DirFS("../../web/dist"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile("../../web/dist/" + name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(text) // to memory
		_ = w.Close()
		files, size = files+1, size+b.Len()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 5 || files > most || size > mostKB*thousand {
		t.Errorf("the page has %d files of %d bytes, and the guide states at most %d of %d KB", files, size, most, mostKB)
	}
}
