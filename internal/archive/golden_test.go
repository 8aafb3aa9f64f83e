package archive

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares what was read of an archive with a file of testdata.
func golden(t *testing.T, a *Archive, name string) {
	t.Helper()
	var b strings.Builder
	for _, r := range a.Rooms {
		fmt.Fprintf(&b, "room %s, name %q, topic %q\n", r.ID, r.Name, r.Topic)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "%s: %s\n", place(n.Place), n.Text)
	}
	for r := range a.Records() {
		fmt.Fprintf(&b, "%s: ", place(r.Place))
		if r.Skip != "" {
			fmt.Fprintf(&b, "SKIP %s", r.Skip)
		} else {
			fmt.Fprintf(&b, "%s %s %q %s", r.Room, r.At.Format("2006-01-02 15:04:05.000"), r.Text, r.ID())
		}
		if r.Note != "" {
			fmt.Fprintf(&b, " (%s)", r.Note)
		}
		b.WriteString("\n")
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func place(p Place) string { return fmt.Sprintf("%s:%d", p.File, p.Number) }

func TestASlackExportIsMappedAsItsGoldenFileSays(t *testing.T) {
	t.Parallel()
	a := openSlack(t, filepath.Join("testdata", "slack"))
	golden(t, a, "slack.golden")
	if a.Read() != a.Size-int64(len("hello\n")) { // the stray file is not read
		t.Errorf("read %d bytes of %d", a.Read(), a.Size)
	}
}

func TestIRCLogsAreMappedAsTheirGoldenFileSays(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, name := range []string{"2020-02-28_10.txt", "undated.txt", "2020-02-28_02.txt"} {
		paths = append(paths, filepath.Join("testdata", "irc", name))
	}
	a, err := OpenIRC("test", paths)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, a, "irc.golden")
	if a.Read() != a.Size {
		t.Errorf("read %d bytes of %d", a.Read(), a.Size)
	}
}

func openSlack(t *testing.T, path string) *Archive {
	t.Helper()
	a, err := OpenSlack(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}
