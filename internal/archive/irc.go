package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"parley/internal/chat"
)

// OpenIRC opens the logs of one channel, to be imported into room. Their names
// begin with a date, as in 2004-11-15_03.txt, and give their order. All files
// must be there, and one at least must have a date; two of one name are refused, since
// message ids derive from it.
func OpenIRC(room string, paths []string) (*Archive, error) {
	id, err := chat.ParseRoomID(room)
	if err != nil {
		return nil, err
	}
	if id.Private() {
		return nil, fmt.Errorf("room %s has the form that is kept for private rooms", id)
	}
	l := &ircLogs{room: id}
	var size int64
	for _, p := range paths {
		f, n, err := statLog(p)
		if err != nil {
			return nil, fmt.Errorf("open IRC log: %w", err)
		}
		if slices.ContainsFunc(l.files, func(g ircFile) bool { return g.name == f.name }) {
			return nil, fmt.Errorf("open IRC log: two files are called %s", f.name)
		}
		l.files = append(l.files, f)
		size += n
	}
	if !slices.ContainsFunc(l.files, func(f ircFile) bool { return !f.date.IsZero() }) {
		return nil, errors.New("open IRC logs: no file's name begins with its date, as in 2004-11-15_03.txt")
	}
	slices.SortFunc(l.files, ircFile.compare)
	return &Archive{
		Rooms:   []Room{{ID: id, Name: string(id)}},
		Reasons: ircReasons(),
		Size:    size,
		records: l.records,
		read:    &l.read,
	}, nil
}

// ircLogs are the logs of one channel being read.
type ircLogs struct {
	room  chat.RoomID
	files []ircFile // in time order
	read  atomic.Int64
}

// ircFile is one log, named <date>_<number>.txt.
type ircFile struct {
	path, name string
	date       time.Time // zero where the name holds none
	number     int
}

func (f ircFile) compare(g ircFile) int {
	return cmp.Or(f.date.Compare(g.date), cmp.Compare(f.number, g.number), cmp.Compare(f.name, g.name))
}

func statLog(path string) (ircFile, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return ircFile{}, 0, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return ircFile{}, 0, err
	}
	if info.IsDir() {
		return ircFile{}, 0, fmt.Errorf("%s is a folder", path)
	}
	f := ircFile{path: path, name: filepath.Base(path)}
	f.date, f.number = parseLogName(f.name)
	return f, info.Size(), nil
}

// parseLogName reads the date at the beginning of a log's name, and the number
// that may follow. The date is zero where there is none that messages may have.
func parseLogName(name string) (date time.Time, number int) {
	if len(name) < len(time.DateOnly) {
		return time.Time{}, 0
	}
	day, rest := name[:len(time.DateOnly)], name[len(time.DateOnly):]
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || !validTime(date) || rest != "" && isDigit(rest[0]) {
		return time.Time{}, 0
	}
	if rest, ok := strings.CutPrefix(rest, "_"); ok {
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || '9' < r })
		if end < 0 {
			end = len(rest)
		}
		number, _ = strconv.Atoi(rest[:end]) // 0 where there is none: the order is then the name's
	}
	return date, number
}

// records reads one line at a time.
func (l *ircLogs) records(yield func(Record) bool) {
	for _, f := range l.files {
		if !l.readLog(f, yield) {
			return
		}
	}
}

// readLog yields the records of one log. It reports false when the reader stopped.
func (l *ircLogs) readLog(f ircFile, yield func(Record) bool) bool {
	whole := Place{File: f.name}
	file, err := os.Open(f.path)
	if err != nil {
		return yield(Record{Place: whole, Skip: BadFile, Note: reading(err).Error()})
	}
	defer func() { _ = file.Close() }() // it was only read
	clock := ircClock{day: f.date}
	n := 0
	for line, err := range lines(countingReader{file, &l.read}) {
		if err != nil {
			return yield(Record{Place: whole, Skip: BadFile, Note: reading(err).Error()})
		}
		n++
		if !yield(l.record(f, n, parseIRCLine(line), &clock)) {
			return false
		}
	}
	return true
}

// record turns a line into a record. Every line with a time moves the clock on,
// also one that is skipped, so that the times of the others do not depend
// on what is imported.
func (l *ircLogs) record(f ircFile, n int, line ircLine, clock *ircClock) Record {
	r := Record{Place: Place{File: f.name, Number: n}, Skip: line.skip, Note: line.note}
	if f.date.IsZero() {
		if n == 1 {
			r.Note = "no line has a date: the file's name does not begin with yyyy-mm-dd"
		} else {
			r.Note = ""
		}
		r.Skip = BadTime
		return r
	}
	if line.timed {
		r.At = clock.next(line.time)
	}
	if r.Skip != "" {
		return r
	}
	if !validTime(r.At) {
		r.Skip, r.Note = BadTime, "has a time that messages cannot have"
		return r
	}
	r.Room, r.User, r.Text = l.room, EscapeName(line.nick), line.text
	r.Tail = tail("irc", f.name, strconv.Itoa(n))
	return r
}

// countingReader counts what was read, for the progress.
type countingReader struct {
	io.Reader
	read *atomic.Int64
}

func (c countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read.Add(int64(n))
	return n, err
}
