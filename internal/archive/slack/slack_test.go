package slack

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/test/archivetest"
)

var update = flag.Bool("update", false, "write the golden files")

// zipOf creates a zip file of name and content pairs and returns its path.
func zipOf(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for pair := range slices.Chunk(files, 2) {
		w, err := z.Create(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(pair[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	oneChannel = `[{"id": "C1", "name": "general"}]`
	oneMessage = `[{"type": "message", "user": "U1", "text": "hi", "ts": "1577836800.000001"}]`
)

func TestOpen_ZipReadsLikeItsFolder(t *testing.T) {
	t.Parallel()
	const root = "testdata/export"
	for why, top := range map[string]string{"at its top": "", "in a folder": "acme export/"} {
		files := []string{"__MACOSX/._x", "junk", ".DS_Store", "junk"}
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(root, path)
			files = append(files, top+filepath.ToSlash(name), string(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		folder := slices.Collect(openExport(t, root).Records())
		zipped := slices.Collect(openExport(t, zipOf(t, files...)).Records())
		if diff := cmp.Diff(folder, zipped); diff != "" {
			t.Errorf("%s (-folder +zip):\n%s", why, diff)
		}
	}
}

func TestOpen_Refused(t *testing.T) {
	t.Parallel()
	notZip := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(notZip, []byte("not a zip file"), 0o600); err != nil {
		t.Fatal(err)
	}
	for why, path := range map[string]string{
		"it does not exist":          filepath.Join(t.TempDir(), "absent"),
		"it is not a zip file":       notZip,
		"it has no channels.json":    zipOf(t, "general/2020-01-01.json", oneMessage),
		"its channels.json is empty": zipOf(t, "channels.json", ""),
	} {
		if _, err := Open(path, Options{}); err == nil {
			t.Errorf("opened though %s", why)
		}
	}
}

func TestOpen_WithoutUsersKeepsRawIDs(t *testing.T) {
	t.Parallel()
	a := openExport(t, zipOf(t, "channels.json", oneChannel, "general/2020-01-01.json", oneMessage))
	if len(a.Notes) != 1 || a.Notes[0].Place.File != usersFile {
		t.Errorf("notes: %v", a.Notes)
	}
	for r := range a.Records() {
		if r.User != "U1" || r.Note == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestRecords_NothingOutsideTheExport(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "2020-01-01.json")
	inside := t.TempDir()
	for path, data := range map[string]string{outside: oneMessage, filepath.Join(inside, channelsFile): oneChannel} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(inside, "general"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(inside, "general", "2020-01-01.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(inside, "linked")); err != nil {
		t.Fatal(err)
	}
	if notes := openExport(t, inside).Notes; !slices.ContainsFunc(notes, func(n archive.Note) bool { return n.Place.File == "linked" }) {
		t.Errorf("the linked folder has no note: %v", notes)
	}
	zipped := zipOf(t, "channels.json", `[{"id": "C1", "name": "../general"}]`, "../general/2020-01-01.json", oneMessage)
	for path, want := range map[string]archive.Reason{inside: archive.BadFile, zipped: NotPublic} {
		for r := range openExport(t, path).Records() {
			if r.Skip != want {
				t.Errorf("%s: %+v", path, r)
			}
		}
	}
}

func TestRecords_HugeFileIsSkipped(t *testing.T) {
	t.Parallel()
	huge := "[" + strings.Repeat(" ", maxFile) + "]"
	a := openExport(t, zipOf(t, "channels.json", oneChannel, "general/2020-01-01.json", huge, "general/2020-01-02.json", oneMessage))
	said := func(n archive.Note) bool { return strings.Contains(n.Text, "files above 64 MB are not read") }
	if !slices.ContainsFunc(a.Notes, said) || a.MaxFile != maxFile { // before anything is read
		t.Errorf("%+v", a.Notes)
	}
	var got []archive.Reason
	for r := range a.Records() {
		got = append(got, r.Skip)
	}
	if diff := cmp.Diff([]archive.Reason{archive.BadFile, ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestRecords_PrivateChannelIsSkipped(t *testing.T) {
	t.Parallel()
	a, err := read(fstest.MapFS{
		"channels.json":           {Data: []byte(`[{"id": "C1", "name": "general", "is_private": true}]`)},
		"general/2020-01-01.json": {Data: []byte(oneMessage)},
	}, Options{}, downloads{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for r := range a.Records() {
		if r.Skip != NotPublic || len(a.Rooms) != 0 {
			t.Errorf("%+v in %v", r, a.Rooms)
		}
	}
}

// TestOpen_PipesAreRefused imports from pipes without writers.
func TestOpen_PipesAreRefused(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "export.zip")
	inside := t.TempDir()
	for _, path := range []string{pipe, filepath.Join(inside, "general", "2020-01-01.json")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(pipe, Options{}); !errors.Is(err, archive.ErrNotRegular) {
		t.Errorf("Open of a pipe: %v", err)
	}
	if err := os.WriteFile(filepath.Join(inside, channelsFile), []byte(oneChannel), 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	for r := range openExport(t, inside).Records() {
		n++
		if r.Skip != archive.BadFile {
			t.Errorf("record of a pipe: %+v", r)
		}
	}
	if n != 1 {
		t.Errorf("%d records of a pipe, want one that says why it is skipped", n)
	}
}

func TestParseTS(t *testing.T) {
	t.Parallel()
	for ts, want := range map[string]int64{
		"1577836800.000001": 1577836800000001000,
		"1577836800":        1577836800000000000,
		"0.5":               500000000,
		"":                  -1, ".5": -1, "-1.0": -1, "1e9": -1, "1.0x": -1, "1.+5": -1, "1.0000000001": -1,
		"253402300800.0": -1, "99999999999999999999.0": -1,
	} {
		got, ok := parseTS(ts)
		if ok != (want >= 0) || ok && got.UnixNano() != want {
			t.Errorf("parseTS(%q) = %v, %v", ts, got, ok)
		}
	}
}

func TestMillisecond_FollowsFromTheTime(t *testing.T) {
	t.Parallel()
	for ts, want := range map[string]string{
		"1577836800.000002": "00.002", "1577836800.000215": "00.215", // the number of the message
		"1577836800.000100": "00.001", "1577836800.013700": "00.137", // a hundred times the number
		"1577836800.123459": "00.123", "1577836800.001234": "00.001", "1577836800": "00.000", "1577836800.999999": "00.999",
	} {
		at, ok := parseTS(ts)
		if got := millisecond(at).Format("05.000"); !ok || got != want {
			t.Errorf("%s became %s, want %s", ts, got, want)
		}
	}
}

// TestTail_KeepsTheOrderInAMillisecond draws a person's messages of one second.
func TestTail_KeepsTheOrderInAMillisecond(t *testing.T) {
	t.Parallel()
	c := channelReader{channel: channel{ID: "C1"}}
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.SliceOfNDistinct(rapid.Int64Range(100_001, 999_999), 2, 2, rapid.ID[int64]).Draw(t, "micros")
		slices.Sort(micros)
		var ids []string
		for _, us := range micros {
			at := time.UnixMicro(1e15 + us).UTC()
			ids = append(ids, archive.Record{At: millisecond(at), Tail: c.tail(at), User: "u"}.ID().String())
		}
		if ids[0] >= ids[1] {
			t.Fatalf("%v became %v", micros, ids)
		}
	})
}

func TestRecords_ReadTwice(t *testing.T) {
	t.Parallel()
	a := slices.Collect(openExport(t, "testdata/export").Records())
	b := slices.Collect(openExport(t, "testdata/export").Records())
	if diff := cmp.Diff(a, b, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestOpen_Golden(t *testing.T) {
	t.Parallel()
	a := openExport(t, "testdata/export")
	archivetest.Golden(t, a, "testdata/export.golden", *update)
	if a.BytesRead() != a.Size-int64(len("hello\n")) { // the stray file is not read
		t.Errorf("read %d bytes of %d", a.BytesRead(), a.Size)
	}
}

// TestOpen_GoldenTeam reads everything in an export other than people's texts.
func TestOpen_GoldenTeam(t *testing.T) {
	t.Parallel()
	archivetest.Golden(t, openExport(t, "testdata/team"), "testdata/team.golden", *update)
}

// TestOpen_GoldenFiles reads an export whose files a tool has put into it.
func TestOpen_GoldenFiles(t *testing.T) {
	t.Parallel()
	archivetest.Golden(t, openWith(t, "testdata/files", Options{Files: "testdata/files"}), "testdata/files.golden", *update)
}

func openExport(t *testing.T, path string) *archive.Archive {
	t.Helper()
	return openWith(t, path, Options{})
}

func openWith(t *testing.T, path string, o Options) *archive.Archive {
	t.Helper()
	a, err := Open(path, o)
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
