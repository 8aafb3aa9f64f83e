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

// parsed parses a line of a log of any form, as Records does.
func parsed(line string) parsedLine {
	return reader{forms()}.parseLine(rawLine{text: readable(line)}, noForm)
}

func TestParseLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		// brackets: mIRC, ZNC, EnergyMech
		"[12:34] <ada> hi <b>":        "ada: hi <b>",
		"[12:34] <ada>  hi ":          "ada:  hi ",
		"[12:34] < ada[]> hi":         "ada[]: hi",
		"[12:34]  * ada waves a hand": "ada: waves a hand",
		"[12:34] <ada> * waves":       "ada: * waves",
		"[12:34:56] <ada> hi":         "ada: hi",
		"[12:34:56] * ada waves":      "ada: waves",
		"(12:34) <@ada> hi":           "ada: hi",
		"[12:34] <~&@%+ada> hi":       "ada: hi",
		"[12:34] <+|ada|> hi":         "|ada|: hi",
		// irssi
		"12:34 < ada> hello":    "ada: hello",
		"12:34 <@ada> hi":       "ada: hi",
		"12:34:56 <+ada> hi":    "ada: hi",
		"12:34  * ada waves":    "ada: waves",
		"12:34 <ada> --- Done.": "ada: --- Done.",
		// HexChat
		"Mar 05 12:34:56 <ada>\thello":             "ada: hello",
		"Mar  5 12:34:56 *\tada waves":             "ada: waves",
		"Mar 05 12:34:56 *\tada has a plan":        "ada: has a plan",
		"[Mar 05 12:34:56] <ada> <b>bold</b> text": "ada: <b>bold</b> text",
		// WeeChat
		"2024-03-05 12:34:56\tada\thello\tyou": "ada: hello\tyou",
		"2024-03-05 12:34:56\t@ada\thello":     "ada: hello",
		"2024-03-05 12:34:56\t *\tada waves":   "ada: waves",
		// ISO and epoch
		"2024-03-05T12:34:56Z <ada> hello":         "ada: hello",
		"[2024-03-05T12:34:56.789+01:00] <ada> hi": "ada: hi",
		"[2024-03-05 12:34] * ada waves":           "ada: waves",
		"1709642096 <ada> hello":                   "ada: hello",
		"[1709642096.5] <ada> hello":               "ada: hello",
		// colors, and Latin-1
		"[12:34] <\x0304ada\x03> \x02bold\x02 \x0304,01red\x03 plain": "ada: bold red plain",
		"[12:34] <ada> \x03" + "12 Monkeys":                           "ada:  Monkeys",
		"[12:34] <ada> caf\xe9 \x93so\x94":                            "ada: café “so”",
		"\ufeff[12:34] <ada> hello":                                   "ada: hello",
	} {
		got := parsed(line)
		if text := got.nick + ": " + got.text; text != want || got.skip != "" || got.stamp.timeOfDay < 12*time.Hour && got.stamp.at.IsZero() {
			t.Errorf("%q is %+v, want %q", line, got, want)
		}
	}
}

func TestParseLine_Skips(t *testing.T) {
	t.Parallel()
	for reason, all := range map[archive.Reason][]string{
		Notice: {
			"=== ada has left", "[12:34] === ada has left", "[12:00:03] *** Joins: cid (~cid@host.example)",
			"12:03 -!- cid [~cid@host.example] has joined #x", "--- Log opened Tue Mar 05 00:00:12 2024", "--- Day changed Wed Mar 06 2024",
			"**** BEGIN LOGGING AT Tue Mar  5 12:00:00 2024", "Session Start: Tue Mar 05 12:00:00 2024", "Session Ident: #x",
			"2024-03-05 12:34:56\t-->\tcid (~cid@host.example) has joined #x", "2024-03-05 12:34:56\t--\tTopic", "2024-03-05 12:34:56\t\tnote",
			"Mar 05 12:00:03 *\tcid (~cid@host.example) has joined", "Mar 05 12:00:03 *\tcid has quit (Bye)", "Mar 05 12:00:03 *\tcid is now known as dan",
			"[12:34] -NickServ- identify", "[12:34] -ada:#x- look", "[00:00] --- Tue Mar  5 2024",
		},
		BlankLine:         {"", "  "},
		archive.EmptyText: {"[12:34] <ada>", "[12:34] <ada> ", "[12:34] <ada> \x02\x02"},
	} {
		for _, line := range all {
			if got := parsed(line); got.skip != reason || got.note != "" {
				t.Errorf("%q is %+v, want %q", line, got, reason)
			}
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
		{"hello", BadLine}, {"[12:34]", BadLine}, {"[12:34] hello", BadLine}, {"12:345 <ada> hi", BadLine},
		{"[12:60] <ada> hi", BadLine}, {"[24:00] <ada> hi", BadLine}, {"[1:23] <ada> hi", BadLine}, {"2024-02-30 12:00:00 <ada> hi", BadLine},
		{"[12:34] <> hi", BadLine}, {"[12:34] <@> hi", BadLine}, {"[12:34] <a b> hi", BadLine}, {"[12:34] <ada hi", BadLine},
		{"[12:34] *  hi", BadLine}, {"[12:34] <ada> " + long, archive.LongText},
	} {
		got := parsed(c.line)
		if got.skip != c.want || got.note == "" {
			t.Errorf("%.40q: %q (%s), want %q", c.line, got.skip, got.note, c.want)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, seed := range []string{"[12:34] <ada> hi", "[12:34]  * ada waves", "=== x", "[99:99] <a> b", "[12:34] <a", "Mar 05 12:00:02 *\tben waves", "1709642096 <a> b", "2024-03-05T12:34:56Z\ta\tb"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l := parsed(line)
		if l.skip != "" {
			return
		}
		if l.stamp.form == noForm || l.nick == "" || l.text == "" || len(l.text) > chat.MaxText || !utf8.ValidString(l.text) {
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
		"#x.2020-02-29.log":  {date: day},
		"#x_20200229.log":    {date: day},
		"x-2020_02_29_7.log": {date: day, number: 7},
		"2020-02-30_01.txt":  {},
		"2020-02-291_01.txt": {},
		"2020-0229.txt":      {},
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
	a, err := Open(Options{Room: "test", Paths: paths})
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
		if _, err := Open(Options{Room: c.room, Paths: c.paths}); err == nil {
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
	all, err := Open(Options{Room: "test", Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	single, err := Open(Options{Room: "test", Paths: []string{second, first}})
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
	a, err := Open(Options{Room: "test", Paths: []string{writeLog(t, t.TempDir(), "2020-01-01.txt", text)}})
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Collect(a.Records())
	if len(got) != 2 || got[0].Skip != archive.LongText || got[1].Text != "after" || got[1].At.UnixMilli()%1000 != 2 {
		t.Errorf("%+v", got)
	}
}

// at returns the stamp of a time of day, such as 12:34.
func at(minutes int) stamp {
	return stamp{form: brackets, timeOfDay: time.Duration(minutes) * time.Minute}
}

// Times only increase. They differ from the times of day by whole days, or half days on a 12-hour
// clock, unless the clock was set back.
func TestClock_Increases(t *testing.T) {
	t.Parallel()
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		minutes := rapid.SliceOfN(rapid.IntRange(0, 24*60-1), 1, 50).Draw(t, "minutes")
		c := clock{zone: time.UTC, day: day, twelve: rapid.Bool().Draw(t, "twelve")}
		step := 2 * halfDay
		if c.twelve {
			step = halfDay
		}
		var last time.Time
		for _, m := range minutes {
			shift := c.shift
			at := c.next(at(m))
			minute := at.Truncate(time.Minute)
			moved := minute.Sub(day.Add(time.Duration(m) * time.Minute))
			setBack := minute.Equal(last.Truncate(time.Minute)) && moved%step <= mostBack
			if !at.After(last) || moved < 0 || moved%step != 0 && !setBack {
				t.Fatalf("%d minutes became %v after %v", m, at, last)
			}
			if c.shift > shift && !minute.Add(-step).Before(last.Add(-mostBack)) {
				t.Fatalf("%d minutes moved too far, to %v after %v", m, at, last)
			}
			last = at
		}
	})
}

// The hour that occurs twice at the end of summer time is no day, and neither is a corrected clock.
func TestClock_SetBack(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why  string
		zone *time.Location
		day  time.Time
		all  string // times of day, each with the resulting time in UTC
	}{
		{"a corrected clock", time.UTC, time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC), "10:00 10:00 10:01 10:01 10:00 10:01 10:02 10:02 14:30 14:30"},
		{"the end of summer time", berlin, time.Date(2024, 10, 27, 0, 0, 0, 0, time.UTC), "01:30 23:30 02:30 00:30 02:10 01:10 02:50 01:50 03:00 02:00"},
		{"the end of summer time elsewhere", time.UTC, time.Date(2024, 10, 27, 0, 0, 0, 0, time.UTC), "02:59 02:59 02:00 02:59 02:30 02:59 03:00 03:00"},
		{"the begin of summer time", berlin, time.Date(2024, 3, 31, 0, 0, 0, 0, time.UTC), "01:59 00:59 03:00 01:00"},
		{"midnight", time.UTC, time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC), "23:58 23:58 00:03 00:03 23:59 23:59 00:00 00:00"},
	} {
		clock := clock{zone: c.zone, day: c.day}
		for pair := range slices.Chunk(strings.Fields(c.all), 2) {
			given, err := time.Parse("15:04", pair[0])
			if err != nil {
				t.Fatal(err)
			}
			if got := clock.next(at(given.Hour()*60 + given.Minute())).Format("15:04"); got != pair[1] {
				t.Errorf("%s: %s became %s, want %s", c.why, pair[0], got, pair[1])
			}
		}
	}
}

// TestOpen_Dates reads logs whose lines, markers or names state the date.
func TestOpen_Dates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"x.log":              {"--- Log opened Tue Mar 05 00:00:12 2024\n12:00 <ada> a\n--- Day changed Wed Mar 06 2024\n12:00 <ada> b\n", "2024-03-05 12:00 2024-03-06 12:00"},
		"y.log":              {"**** BEGIN LOGGING AT Sun Dec 31 12:00:00 2023\n\nDec 31 23:59:00 <ada>\ta\nJan 01 00:01:00 <ada>\tb\n", "2023-12-31 23:59 2024-01-01 00:01"},
		"2024-03-05.log":     {"Mar 05 12:00:01 <ada>\ta\n", "2024-03-05 12:00"},
		"chan.weechatlog":    {"2024-03-05 12:00:00\tada\ta\n2024-03-06 01:00:00\tada\tb\n", "2024-03-05 12:00 2024-03-06 01:00"},
		"iso.log":            {"2024-03-05T12:00:00+02:00 <ada> a\n", "2024-03-05 10:00"},
		"epoch.log":          {"1709642096 <ada> a\n", "2024-03-05 12:34"},
		"session.log":        {"Session Start: Tue Mar 05 12:00:00 2024\n[12:00] <ada> a\n[11:00] <ben> b\n", "2024-03-05 12:00 2024-03-05 12:00"},
		"eggdrop.log":        {"[00:00] --- Tue Mar  5 2024\n[00:01] <ada> a\n", "2024-03-05 00:01"},
		"#x.20240305.log":    {"[12:00] <ada> a\n", "2024-03-05 12:00"},
		"2024-03-05_fin.log": {"[12:00] <ada> a\n12:00 <ada> of another form\n", "2024-03-05 12:00"},
	} {
		a, err := Open(Options{Room: "test", Paths: []string{writeLog(t, t.TempDir(), name, c.text)}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for r := range a.Records() {
			if r.Skip == "" {
				got = append(got, r.At.Format("2006-01-02 15:04"))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestOpen_RefusesWhatIsNoLog(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"2024-03-05.txt": "Dear all,\nhello\n", "2024-03-05.log": "{\"a\":1}\n"} {
		_, err := Open(Options{Room: "test", Paths: []string{writeLog(t, t.TempDir(), name, text)}})
		if err == nil || !strings.Contains(err.Error(), "no line has a form") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClock_MinuteOfMoreLinesThanMilliseconds(t *testing.T) {
	t.Parallel()
	c := clock{zone: time.UTC, day: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	var last time.Time
	for range 60_010 {
		last = c.next(at(0))
	}
	if at := c.next(at(1)); !at.After(last) {
		t.Errorf("%v after %v", at, last)
	}
}

func TestOpen_Golden(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, name := range []string{"2020-02-28_10.txt", "undated.txt", "2020-02-28_02.txt"} {
		paths = append(paths, filepath.Join("testdata", "logs", name))
	}
	a, err := Open(Options{Room: "test", Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	archivetest.Golden(t, a, "testdata/logs.golden", *update)
	if a.BytesRead() != a.Size {
		t.Errorf("read %d bytes of %d", a.BytesRead(), a.Size)
	}
}
