package irc

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/archivetest"
)

var update = flag.Bool("update", false, "write the golden files")

func TestParseLine(t *testing.T) {
	t.Parallel()
	const noon = 12*time.Hour + 34*time.Minute
	said := func(nick, text string) parsedLine {
		return parsedLine{time: noon, timed: true, nick: nick, text: text}
	}
	for _, c := range []struct {
		why, line string
		want      parsedLine
	}{
		{"a message", "[12:34] <ada> hi <b>", said("ada", "hi <b>")},
		{"spaces after the first are text", "[12:34] <ada>  hi ", said("ada", " hi ")},
		{"spaces around a nick are not", "[12:34] < ada[] > hi", said("ada[]", "hi")},
		{"an action", "[12:34]  * ada waves a hand", said("ada", "waves a hand")},
		{"a star that is said", "[12:34] <ada> * waves", said("ada", "* waves")},
		{"no text", "[12:34] <ada>", parsedLine{time: noon, timed: true, nick: "ada", skip: archive.EmptyText}},
		{"a notice", "=== ada has left", parsedLine{skip: Notice}},
		{"a notice with a time", "[12:34] === ada has left", parsedLine{time: noon, timed: true, skip: Notice}},
		{"a blank line", "", parsedLine{skip: BlankLine}},
	} {
		got := parseLine(rawLine{text: c.line})
		if got != c.want {
			t.Errorf("%s: %q is %+v, want %+v", c.why, c.line, got, c.want)
		}
	}
}

func TestParseLine_Broken(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", chat.MaxText+1)
	for _, c := range []struct {
		line string
		want archive.Reason
	}{
		{"hello", BadLine}, {"[12:34]", BadLine}, {"[12:34] hello", BadLine},
		{"[12:60] <ada> hi", BadLine}, {"[24:00] <ada> hi", BadLine}, {"[1:23] <ada> hi", BadLine},
		{"[12:34] <> hi", BadLine}, {"[12:34] <a b> hi", BadLine}, {"[12:34] <ada hi", BadLine},
		{"[12:34] *  hi", BadLine}, {"[12:34] <ada> caf\xe9", archive.NotUTF8}, {"[12:34] <ada> " + long, archive.LongText},
	} {
		got := parseLine(rawLine{text: c.line})
		if got.skip != c.want || got.note == "" {
			t.Errorf("%.40q: %q (%s), want %q", c.line, got.skip, got.note, c.want)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{"[12:34] <ada> hi", "[12:34]  * ada waves", "=== x", "[99:99] <a> b", "[12:34] <a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l := parseLine(rawLine{text: line})
		if l.skip != "" {
			return
		}
		if !l.timed || l.nick == "" || l.text == "" || len(l.text) > chat.MaxText || !utf8.ValidString(l.text) {
			t.Errorf("%q is %+v", line, l)
		}
		if _, err := chat.ParseUserID(string(archive.EscapeName(l.nick))); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	})
}

func TestParseLogName(t *testing.T) {
	t.Parallel()
	day := time.Date(2020, 2, 29, 0, 0, 0, 0, time.UTC)
	for name, want := range map[string]logFile{
		"2020-02-29_03.txt":  {date: day, number: 3},
		"2020-02-29_10.log":  {date: day, number: 10},
		"2020-02-29.txt":     {date: day},
		"2020-02-29":         {date: day},
		"2020-02-29_x.txt":   {date: day},
		"2020-02-30_01.txt":  {},
		"2020-02-291_01.txt": {},
		"0001-01-01.txt":     {},
		"chan.txt":           {},
	} {
		date, number := parseLogName(name)
		if !date.Equal(want.date) || number != want.number {
			t.Errorf("%s: %v, %d", name, date, number)
		}
	}
}

func TestRecords_InNameOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := []string{"2020-02-29_9.txt", "2020-02-29_10.txt", "2020-03-01_01.txt"}
	var paths []string
	for _, name := range want {
		paths = append(paths, writeLog(t, dir, name, "[12:00] <ada> "+name+"\n"))
	}
	slices.Reverse(paths)
	a, err := Open("test", paths)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := range a.Records() {
		got = append(got, r.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("read in the order %q", got)
	}
}

func writeLog(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpen_Refused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log := writeLog(t, dir, "2020-01-01.txt", "")
	pipe := filepath.Join(t.TempDir(), "2020-01-02.txt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why, room string
		paths     []string
	}{
		{"one is not there", "test", []string{log, filepath.Join(dir, "absent")}},
		{"one is a pipe", "test", []string{log, pipe}},
		{"one is a folder without logs", "test", []string{log, t.TempDir()}},
		{"a folder has a log that is given too", "test", []string{dir, log}},
		{"two have one name", "test", []string{log, log}},
		{"the room is none", "#test", []string{log}},
		{"the room would be private", "p-abcdefghij0123456789", []string{log}},
	} {
		if _, err := Open(c.room, c.paths); err == nil {
			t.Errorf("opened though %s", c.why)
		}
	}
}

func TestOpen_FolderStandsForItsDatedLogs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := writeLog(t, dir, "2020-01-01.txt", "[12:00] <ada> one\n")
	second := writeLog(t, dir, "2020-01-02.txt", "[12:00] <ada> two\n")
	writeLog(t, dir, "README.txt", "[12:00] <ada> not a log\n")
	all, err := Open("test", []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	single, err := Open("test", []string{second, first})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Collect(all.Records()), slices.Collect(single.Records()); len(got) != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("the folder has %v, its logs %v", got, want)
	}
}

func TestRecords_LongLineIsOneSkip(t *testing.T) {
	t.Parallel()
	text := "[12:00] <ada> " + strings.Repeat("x", 3*maxLine) + "\n[12:00] <ada> after\n"
	a, err := Open("test", []string{writeLog(t, t.TempDir(), "2020-01-01.txt", text)})
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Collect(a.Records())
	if len(got) != 2 || got[0].Skip != archive.LongText || got[1].Text != "after" || got[1].At.UnixMilli()%1000 != 2 {
		t.Errorf("%+v", got)
	}
}

// Times only increase, and differ from the times of day by whole half days.
func TestClock_Increases(t *testing.T) {
	t.Parallel()
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		minutes := rapid.SliceOfN(rapid.IntRange(0, 24*60-1), 1, 50).Draw(t, "minutes")
		c := clock{day: day}
		var last time.Time
		var shift time.Duration // of the previous line
		for _, m := range minutes {
			at := c.next(time.Duration(m) * time.Minute)
			minute := at.Truncate(time.Minute)
			moved := minute.Sub(day.Add(time.Duration(m) * time.Minute))
			if !at.After(last) || moved < shift || moved%halfDay != 0 {
				t.Fatalf("%d minutes became %v after %v", m, at, last)
			}
			if moved > shift && !minute.Add(-halfDay).Before(last.Truncate(time.Minute)) {
				t.Fatalf("%d minutes moved too far, to %v after %v", m, at, last)
			}
			last, shift = at, moved
		}
	})
}

func TestClock_MinuteOfMoreLinesThanMilliseconds(t *testing.T) {
	t.Parallel()
	c := clock{day: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	var last time.Time
	for range 60_010 {
		last = c.next(0)
	}
	if at := c.next(time.Minute); !at.After(last) {
		t.Errorf("%v after %v", at, last)
	}
}

func TestOpen_Golden(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, name := range []string{"2020-02-28_10.txt", "undated.txt", "2020-02-28_02.txt"} {
		paths = append(paths, filepath.Join("testdata", "logs", name))
	}
	a, err := Open("test", paths)
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Golden(t, a, "testdata/logs.golden", *update)
	if a.BytesRead() != a.Size {
		t.Errorf("read %d bytes of %d", a.BytesRead(), a.Size)
	}
}
