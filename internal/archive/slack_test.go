package archive

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// zipOf makes a zip file of name and content pairs and returns its path.
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

func TestAZipReadsAsItsFolderWould(t *testing.T) {
	t.Parallel()
	const root = "testdata/slack"
	for why, top := range map[string]string{"at its top": "", "within a folder": "acme export/"} {
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
		folder := slices.Collect(openSlack(t, root).Records())
		zipped := slices.Collect(openSlack(t, zipOf(t, files...)).Records())
		if diff := cmp.Diff(folder, zipped); diff != "" {
			t.Errorf("%s (-folder +zip):\n%s", why, diff)
		}
	}
}

func TestAnExportThatCannotBeOpenedIsRefused(t *testing.T) {
	t.Parallel()
	noZip := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(noZip, []byte("no zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	for why, path := range map[string]string{
		"it is not there":            filepath.Join(t.TempDir(), "absent"),
		"it is no zip":               noZip,
		"it has no channels.json":    zipOf(t, "general/2020-01-01.json", oneMessage),
		"its channels.json is empty": zipOf(t, "channels.json", ""),
	} {
		if _, err := OpenSlack(path); err == nil {
			t.Errorf("opened though %s", why)
		}
	}
}

func TestAnExportWithoutUsersKeepsRawIDs(t *testing.T) {
	t.Parallel()
	a := openSlack(t, zipOf(t, "channels.json", oneChannel, "general/2020-01-01.json", oneMessage))
	if len(a.Notes) != 1 || a.Notes[0].Place.File != usersFile {
		t.Errorf("notes: %v", a.Notes)
	}
	for r := range a.Records() {
		if r.User != "U1" || r.Note == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestNothingOutsideTheExportIsRead(t *testing.T) {
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
	if notes := openSlack(t, inside).Notes; !slices.ContainsFunc(notes, func(n Note) bool { return n.Place.File == "linked" }) {
		t.Errorf("the linked folder is not told of: %v", notes)
	}
	zipped := zipOf(t, "channels.json", `[{"id": "C1", "name": "../general"}]`, "../general/2020-01-01.json", oneMessage)
	for path, want := range map[string]Reason{inside: BadFile, zipped: NotPublic} {
		for r := range openSlack(t, path).Records() {
			if r.Skip != want {
				t.Errorf("%s: %+v", path, r)
			}
		}
	}
}

func TestAHugeFileIsSkippedWithoutReadingItAll(t *testing.T) {
	t.Parallel()
	huge := "[" + strings.Repeat(" ", maxFile) + "]"
	a := openSlack(t, zipOf(t, "channels.json", oneChannel, "general/2020-01-01.json", huge, "general/2020-01-02.json", oneMessage))
	var got []Reason
	for r := range a.Records() {
		got = append(got, r.Skip)
	}
	if diff := cmp.Diff([]Reason{BadFile, ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAPrivateChannelOfChannelsIsNotImported(t *testing.T) {
	t.Parallel()
	a, err := readSlack(fstest.MapFS{
		"channels.json":           {Data: []byte(`[{"id": "C1", "name": "general", "is_private": true}]`)},
		"general/2020-01-01.json": {Data: []byte(oneMessage)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for r := range a.Records() {
		if r.Skip != NotPublic || len(a.Rooms) != 0 {
			t.Errorf("%+v in %v", r, a.Rooms)
		}
	}
}

func TestSlackTimesAreReadOrRefused(t *testing.T) {
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

func TestSlackTimesKeepTheirOrderInMilliseconds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		micros := rapid.SliceOf(rapid.Int64Range(0, 20_000)).Draw(t, "micros")
		slices.Sort(micros)
		var clock slackClock
		var last, lastMS time.Time
		for i, us := range micros {
			ts := time.UnixMicro(1e15 + us).UTC()
			ms := clock.next(ts)
			if i > 0 && ms.Compare(lastMS) != ts.Compare(last) {
				t.Fatalf("%v after %v became %v after %v", ts, last, ms, lastMS)
			}
			if ms.Before(ts.Truncate(time.Millisecond)) || !ms.Equal(ms.Truncate(time.Millisecond)) {
				t.Fatalf("%v became %v", ts, ms)
			}
			last, lastMS = ts, ms
		}
	})
}

func TestReadingTwiceGivesTheSameRecords(t *testing.T) {
	t.Parallel()
	a := slices.Collect(openSlack(t, "testdata/slack").Records())
	b := slices.Collect(openSlack(t, "testdata/slack").Records())
	if diff := cmp.Diff(a, b, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
