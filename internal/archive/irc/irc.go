// Package irc opens the logs of an IRC channel as an archive.
package irc

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// Reasons of IRC logs.
const (
	Notice    archive.Reason = "notice"
	BlankLine archive.Reason = "blank line"
	BadLine   archive.Reason = "bad line"
)

// reasons returns the reasons of a log in the order of the report.
func reasons() []archive.Reason {
	return []archive.Reason{
		Notice, BlankLine, archive.EmptyText, archive.LongText, BadLine, archive.BadTime,
		archive.BadFile, archive.DeletedRoom, archive.Conflict, archive.NotStored,
	}
}

// Options are the settings for reading logs.
type Options struct {
	Room  string   // into which they are imported
	Paths []string // of logs, or of folders of logs
	// Zone is where the clock of the logs was, for lines that do not state it; nil means UTC.
	Zone *time.Location
}

// Open opens the logs of one channel. The lines of a log have a date, or the log states it, or its
// name does, as in 2004-11-15_03.txt and #x.20041115.log. The dates determine the order. A folder
// stands for the logs in it. Open fails unless all files exist and at least one has a date. It
// refuses a file of which it understands no line, and two files of the same name, because message
// ids derive from it.
func Open(o Options) (*archive.Archive, error) {
	id, err := chat.ParseRoomID(o.Room)
	if err != nil {
		return nil, err
	}
	if id.Private() {
		return nil, fmt.Errorf("room %s has the form reserved for private rooms", id)
	}
	l := &logs{room: id, zone: cmp.Or(o.Zone, time.UTC), reader: reader{forms()}}
	var size int64
	paths, err := withFolders(o.Paths)
	if err != nil {
		return nil, fmt.Errorf("open IRC logs: %w", err)
	}
	for _, p := range paths {
		f, n, err := l.statLog(p)
		if err != nil {
			return nil, fmt.Errorf("open IRC log: %w", err)
		}
		if slices.ContainsFunc(l.files, func(g logFile) bool { return g.name == f.name }) {
			return nil, fmt.Errorf("open IRC log: two files are named %s", f.name)
		}
		l.files = append(l.files, f)
		size += n
	}
	if !slices.ContainsFunc(l.files, func(f logFile) bool { return !f.date.IsZero() }) {
		return nil, errors.New("open IRC logs: no line and no file name has a date, as in 2004-11-15_03.txt")
	}
	slices.SortFunc(l.files, logFile.compare)
	return &archive.Archive{
		Rooms:   []archive.Room{{ID: id, Name: string(id)}},
		Reasons: reasons(),
		Size:    size,
		Source:  l,
	}, nil
}

// withFolders returns the paths, with each folder replaced by its logs: the files whose names
// have a date or are names of logs.
func withFolders(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		entries, err := os.ReadDir(p)
		if err != nil { // a file, or absent, which the caller reports
			files = append(files, p)
			continue
		}
		found := len(files)
		for _, e := range entries {
			date, _ := parseLogName(e.Name())
			named := slices.Contains([]string{".log", ".weechatlog"}, filepath.Ext(e.Name()))
			if (named || !date.IsZero()) && !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				files = append(files, filepath.Join(p, e.Name()))
			}
		}
		if len(files) == found {
			return nil, fmt.Errorf("%s has no file whose name has a date, as in 2004-11-15_03.txt, or ends in .log", p)
		}
	}
	return files, nil
}

// logs is the archive.Source of one channel. It holds no file open between reads.
type logs struct {
	room   chat.RoomID
	zone   *time.Location
	reader reader
	files  []logFile // in time order
	read   atomic.Int64
}

// logFile is one log.
type logFile struct {
	path, name string
	date       time.Time // of the name, or else the first one of the lines; zero if there is none
	number     int       // after a date in the name
	form       form      // of the times of most lines
	twelve     bool      // no time of a day is after 12:59 or before 01:00
}

func (f logFile) compare(g logFile) int {
	return cmp.Or(f.date.Compare(g.date), cmp.Compare(f.number, g.number), cmp.Compare(f.name, g.name))
}

// statLog returns a log and its size.
func (l *logs) statLog(path string) (logFile, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return logFile{}, 0, err
	}
	if !info.Mode().IsRegular() {
		return logFile{}, 0, fmt.Errorf("%s: %w", path, archive.ErrNotRegular)
	}
	f := logFile{path: path, name: filepath.Base(path)}
	f.date, f.number = parseLogName(f.name)
	return f, info.Size(), l.survey(&f)
}

// survey reads a log once, and finds the form of its times. A log that cannot be read stays as it
// is: its records say so.
func (l *logs) survey(f *logFile) error {
	file, err := os.Open(f.path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }() // it was only read
	var times [formCount]int
	var first time.Time
	read, understood := 0, 0
	f.twelve = true
	for line, err := range lines(file) {
		if err != nil {
			return nil
		}
		parsed := l.reader.parseLine(line, noForm)
		if parsed.skip != BlankLine {
			read++
		}
		if parsed.skip == "" {
			times[parsed.stamp.form]++
		}
		if parsed.skip != BlankLine && parsed.skip != BadLine {
			understood++
		}
		if hour := parsed.stamp.timeOfDay / time.Hour; parsed.stamp.form != noForm && (hour > 12 || hour == 0) {
			f.twelve = false
		}
		if s := parsed.stamp; first.IsZero() {
			switch {
			case !parsed.day.IsZero():
				first = parsed.day
			case !s.at.IsZero():
				first = s.at.Truncate(24 * time.Hour)
			case s.written.Year() > 0 && !s.written.IsZero():
				first = s.written
			}
		}
	}
	for i, n := range times {
		if n > times[f.form] {
			f.form = form(i)
		}
	}
	if f.date.IsZero() && archive.ValidTime(first) {
		f.date = first
	}
	if read > 0 && understood == 0 {
		return fmt.Errorf("%s: no line has a form of IRC logs, such as [12:34] <nick> text", f.path)
	}
	return nil
}

// nameDate is a date in the name of a log, and the number that may follow.
var nameDate = regexp.MustCompile(`(?:^|\D)(\d{4})([-_.]?)(\d{2})([-_.]?)(\d{2})(?:_(\d+))?(?:\D|$)`)

// parseLogName returns the date in a log's name and the number that may follow. The date is zero if
// the name does not contain one, or one that is invalid for messages.
func parseLogName(name string) (date time.Time, number int) {
	parts := nameDate.FindStringSubmatch(name)
	if parts == nil || parts[2] != parts[4] {
		return time.Time{}, 0
	}
	date, err := time.Parse(time.DateOnly, parts[1]+"-"+parts[3]+"-"+parts[5])
	if err != nil || !archive.ValidTime(date) {
		return time.Time{}, 0
	}
	number, _ = strconv.Atoi(parts[6]) // 0 if there is none; the name then determines the order
	return date, number
}

// Records reads one line at a time.
func (l *logs) Records() iter.Seq[archive.Record] {
	return func(yield func(archive.Record) bool) {
		for _, f := range l.files {
			if !l.readLog(f, yield) {
				return
			}
		}
	}
}

// BytesRead returns how many bytes of the logs have been read.
func (l *logs) BytesRead() int64 { return l.read.Load() }

// Close does nothing: Records closes each log that it opens.
func (l *logs) Close() error { return nil }

// readLog yields the records of one log. It reports whether the reader wants more.
func (l *logs) readLog(f logFile, yield func(archive.Record) bool) bool {
	broken := func(err error) bool {
		return yield(archive.Record{
			Place: archive.Place{File: f.name},
			Skip:  archive.BadFile,
			Note:  archive.FileError(err).Error(),
		})
	}
	file, err := os.Open(f.path)
	if err != nil {
		return broken(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	c := clock{day: f.date, zone: l.zone, twelve: f.twelve}
	n := 0
	for line, err := range lines(countingReader{file, &l.read}) {
		if err != nil {
			return broken(err)
		}
		n++
		if !yield(l.record(f, n, l.reader.parseLine(line, f.form), &c)) {
			return false
		}
	}
	return true
}

// record converts a line to a record. Every line with a time advances the clock, even if it is
// skipped, so that the times do not depend on which lines are imported.
func (l *logs) record(f logFile, n int, line parsedLine, c *clock) archive.Record {
	r := archive.Record{Place: archive.Place{File: f.name, Number: n}, Skip: line.skip, Note: line.note}
	if !line.day.IsZero() {
		c.begin(line.day)
	}
	if line.stamp.form != noForm && c.known(line.stamp) {
		r.At = c.next(line.stamp)
	} else if r.Skip == "" || f.date.IsZero() {
		r.Skip, r.Note = archive.BadTime, ""
		if n == 1 {
			r.Note = "no line has a date, and the file name has none, such as yyyy-mm-dd"
		}
	}
	if r.Skip != "" {
		return r
	}
	if !archive.ValidTime(r.At) {
		r.Skip, r.Note = archive.BadTime, "has a time that messages cannot have"
		return r
	}
	r.Room, r.User, r.Text = l.room, archive.EscapeName(line.nick), line.text
	r.Exact = true
	r.Tail = archive.NewTail("irc", f.name, strconv.Itoa(n))
	return r
}

// countingReader adds the number of bytes that it reads to read.
type countingReader struct {
	io.Reader
	read *atomic.Int64
}

func (c countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read.Add(int64(n))
	return n, err
}
