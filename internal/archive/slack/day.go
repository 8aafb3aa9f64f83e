package slack

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// rawRecord is one record of a day file before it is parsed.
type rawRecord struct {
	place archive.Place
	json  jsontext.Value
}

// stamped is a record with its full time, by which the records of a day are sorted.
type stamped struct {
	archive.Record
	ts time.Time
	// added reports that the first version of the import skipped such records.
	added bool
	// key and thread are the times of the message and of the root of its thread, as in the export.
	// Thread is empty for a message without replies.
	key, thread string
}

// Records reads one day file at a time, so that an export of any size fits into memory.
func (e *export) Records() iter.Seq[archive.Record] {
	return func(yield func(archive.Record) bool) {
		unlisted := map[string]bool{}
		for _, f := range e.folders {
			more := false
			if c, public := e.rooms[f.name]; public {
				more = channelReader{export: e, channel: c, unlisted: unlisted}.records(f.files, yield)
			} else {
				more = e.skipFolder(f.files, yield)
			}
			if !more {
				return
			}
		}
	}
}

// skipFolder yields a skip for each record of a folder that does not belong to a public channel.
// It reports whether the reader wants more.
func (e *export) skipFolder(files []string, yield func(archive.Record) bool) bool {
	note := "belongs to no public channel of " + channelsFile
	for _, file := range files {
		for v, err := range e.values(file) {
			r := archive.Record{Place: v.place, Skip: NotPublic, Note: note}
			if err != nil {
				r.Skip, r.Note = archive.BadFile, err.Error()
			} else {
				note = "" // one note per folder
			}
			if !yield(r) {
				return false
			}
		}
	}
	return true
}

// values yields the records of a day file, followed by the error that ended it, if any.
func (e *export) values(file string) iter.Seq2[rawRecord, error] {
	return func(yield func(rawRecord, error) bool) {
		whole := rawRecord{place: archive.Place{File: file}}
		if path.Ext(file) != dayExt {
			yield(whole, fmt.Errorf("is not a %s file", dayExt))
			return
		}
		data, err := readFile(e.fsys, file, &e.read)
		if err != nil {
			yield(whole, err)
			return
		}
		n := 0
		for v, err := range elements(bytes.NewReader(data)) {
			if err != nil {
				yield(whole, err)
				return
			}
			n++
			if !yield(rawRecord{archive.Place{File: file, Number: n}, v}, nil) {
				return
			}
		}
	}
}

// channelReader reads the day files of one channel.
type channelReader struct {
	*export
	channel  channel
	unlisted map[string]bool // users missing from users.json that already have a note
}

// records yields the records of the day files. It reports whether the reader wants more.
func (c channelReader) records(files []string, yield func(archive.Record) bool) bool {
	var times clocks
	roots := map[string]chat.MessageID{}
	for _, file := range files {
		messages, ok := c.day(file, yield)
		if !ok {
			return false
		}
		for _, m := range messages {
			m.At = times.next(m)
			if !yield(m.inThread(roots)) {
				return false
			}
		}
	}
	return true
}

// inThread returns the record of m with its thread. roots holds the channel's roots so far, by
// their times. A reply whose root is not among them becomes an ordinary message.
func (m stamped) inThread(roots map[string]chat.MessageID) archive.Record {
	r := m.Record
	if r.Root {
		roots[m.key] = r.ID()
		r.ShowInRoom = false
		return r
	}
	root, ok := roots[m.thread]
	if r.Thread = root; ok || m.thread == "" {
		r.ShowInRoom = r.ShowInRoom && ok
		return r
	}
	r.ShowInRoom = false
	r.LeftOut = withMore(r.LeftOut, NoRoot, 1)
	return r
}

// withMore returns counts with n more of a reason.
func withMore(counts map[archive.Reason]int, reason archive.Reason, n int) map[archive.Reason]int {
	if counts == nil {
		counts = map[archive.Reason]int{}
	}
	counts[reason] += n
	return counts
}

// day yields the skips of a day file and returns its messages in order. It returns false if the
// reader wants no more.
func (c channelReader) day(file string, yield func(archive.Record) bool) ([]stamped, bool) {
	var messages []stamped
	for v, err := range c.values(file) {
		m := stamped{Record: archive.Record{Place: v.place, Skip: archive.BadFile}}
		if err != nil {
			m.Note = err.Error()
		} else {
			m = c.parse(v)
		}
		if m.Skip == "" {
			messages = append(messages, m)
		} else if !yield(m.Record) {
			return nil, false
		}
	}
	slices.SortStableFunc(messages, func(a, b stamped) int { return a.ts.Compare(b.ts) })
	return messages, true
}

// clocks round the times of a channel's messages, and preserve the times that the first version of
// the import rounded. Between two of these, a message that it skipped may share the millisecond of
// the later one.
type clocks struct {
	first clock // of the messages that the first version imported
	all   clock
}

// next returns the rounded time of the next message.
func (c *clocks) next(m stamped) time.Time {
	if m.added {
		return c.all.next(m.ts)
	}
	ms := c.first.next(m.ts)
	c.all.passed(m.ts, ms)
	return ms
}

// clock rounds the times of a channel's messages to milliseconds and preserves their order. Only
// messages with equal times share a millisecond: a duplicate, or two users.
type clock struct {
	last   time.Time // full time of the previous message
	lastMS time.Time
}

// next returns the rounded time of the next message. An older message, which only occurs in a file
// edited by hand, keeps its own millisecond.
func (c *clock) next(ts time.Time) time.Time {
	ms := ts.Truncate(time.Millisecond)
	if ts.Before(c.last) {
		return ms
	}
	if ts.Equal(c.last) {
		return c.lastMS
	}
	if !ms.After(c.lastMS) {
		ms = c.lastMS.Add(time.Millisecond)
	}
	c.last, c.lastMS = ts, ms
	return ms
}

// passed makes later messages follow a message that another clock rounded.
func (c *clock) passed(ts, ms time.Time) {
	if ts.After(c.last) {
		c.last = ts
	}
	if ms.After(c.lastMS) {
		c.lastMS = ms
	}
}
