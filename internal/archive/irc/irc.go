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
		archive.NotUTF8, archive.BadFile, archive.DeletedRoom, archive.Conflict, archive.NotStored,
	}
}

// Open opens the logs of one channel, to be imported into room. A log's name begins with a date,
// as in 2004-11-15_03.txt, which determines the order. A folder stands for the logs in it whose
// names begin with a date. Open fails unless all files exist and at least one has a date. It also
// refuses two files of the same name, because message ids derive from it.
func Open(room string, paths []string) (*archive.Archive, error) {
	id, err := chat.ParseRoomID(room)
	if err != nil {
		return nil, err
	}
	if id.Private() {
		return nil, fmt.Errorf("room %s has the form reserved for private rooms", id)
	}
	l := &logs{room: id}
	var size int64
	if paths, err = withFolders(paths); err != nil {
		return nil, fmt.Errorf("open IRC logs: %w", err)
	}
	for _, p := range paths {
		f, n, err := statLog(p)
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
		return nil, errors.New("open IRC logs: no file name begins with a date, as in 2004-11-15_03.txt")
	}
	slices.SortFunc(l.files, logFile.compare)
	return &archive.Archive{
		Rooms:   []archive.Room{{ID: id, Name: string(id)}},
		Reasons: reasons(),
		Size:    size,
		Source:  l,
	}, nil
}

// withFolders returns the paths, with each folder replaced by its logs.
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
			if date, _ := parseLogName(e.Name()); !date.IsZero() && !e.IsDir() {
				files = append(files, filepath.Join(p, e.Name()))
			}
		}
		if len(files) == found {
			return nil, fmt.Errorf("%s has no file whose name begins with a date, as in 2004-11-15_03.txt", p)
		}
	}
	return files, nil
}

// logs is the archive.Source of one channel. It holds no file open between reads.
type logs struct {
	room  chat.RoomID
	files []logFile // in time order
	read  atomic.Int64
}

// logFile is one log, named <date>_<number>.txt.
type logFile struct {
	path, name string
	date       time.Time // zero if the name does not contain one
	number     int
}

func (f logFile) compare(g logFile) int {
	return cmp.Or(f.date.Compare(g.date), cmp.Compare(f.number, g.number), cmp.Compare(f.name, g.name))
}

// statLog returns a log and its size.
func statLog(path string) (logFile, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return logFile{}, 0, err
	}
	if !info.Mode().IsRegular() {
		return logFile{}, 0, fmt.Errorf("%s: %w", path, archive.ErrNotRegular)
	}
	f := logFile{path: path, name: filepath.Base(path)}
	f.date, f.number = parseLogName(f.name)
	return f, info.Size(), nil
}

// parseLogName returns the date at the beginning of a log's name and the number that may follow.
// The date is zero if the name does not contain one, or one that is invalid for messages.
func parseLogName(name string) (date time.Time, number int) {
	if len(name) < len(time.DateOnly) {
		return time.Time{}, 0
	}
	day, rest := name[:len(time.DateOnly)], name[len(time.DateOnly):]
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || !archive.ValidTime(date) || rest != "" && isDigit(rest[0]) {
		return time.Time{}, 0
	}
	if rest, ok := strings.CutPrefix(rest, "_"); ok {
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || '9' < r })
		if end < 0 {
			end = len(rest)
		}
		number, _ = strconv.Atoi(rest[:end]) // 0 if there is none; the name then determines the order
	}
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
	c := clock{day: f.date}
	n := 0
	for line, err := range lines(countingReader{file, &l.read}) {
		if err != nil {
			return broken(err)
		}
		n++
		if !yield(l.record(f, n, parseLine(line), &c)) {
			return false
		}
	}
	return true
}

// record converts a line to a record. Every line with a time advances the clock, even if it is
// skipped, so that the times do not depend on which lines are imported.
func (l *logs) record(f logFile, n int, line parsedLine, c *clock) archive.Record {
	r := archive.Record{Place: archive.Place{File: f.name, Number: n}, Skip: line.skip, Note: line.note}
	if f.date.IsZero() {
		r.Skip, r.Note = archive.BadTime, ""
		if n == 1 {
			r.Note = "no line has a date, because the file name does not begin with yyyy-mm-dd"
		}
		return r
	}
	if line.timed {
		r.At = c.next(line.time)
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
