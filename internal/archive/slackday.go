package archive

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// slackValueAt is one record of a day file, before it is read.
type slackValueAt struct {
	place Place
	json  jsontext.Value
}

// stamped is a record with its full time, by which a day is put in order.
type stamped struct {
	Record
	ts time.Time
}

// records reads one day file at a time, so that an export of any size fits into
// memory.
func (s *slack) records(yield func(Record) bool) {
	unknown := map[string]bool{}
	for _, folder := range s.folders {
		going := false
		if channel, public := s.rooms[folder.name]; public {
			going = slackDays{slack: s, channel: channel, unknown: unknown}.records(folder.files, yield)
		} else {
			going = s.countFolder(folder.files, yield)
		}
		if !going {
			return
		}
	}
}

// countFolder yields a skip for each record of a folder that is no public
// channel's. It reports false when the reader stopped.
func (s *slack) countFolder(files []string, yield func(Record) bool) bool {
	note := "belongs to no public channel of " + channelsFile
	for _, file := range files {
		for v, err := range s.values(file) {
			r := Record{Place: v.place, Skip: NotPublic, Note: note}
			if err != nil {
				r.Skip, r.Note = BadFile, err.Error()
			} else {
				note = "" // said once a folder
			}
			if !yield(r) {
				return false
			}
		}
	}
	return true
}

// values yields the records of a day file, and at last the error that ended it.
func (s *slack) values(file string) iter.Seq2[slackValueAt, error] {
	return func(yield func(slackValueAt, error) bool) {
		whole := slackValueAt{place: Place{File: file}}
		if path.Ext(file) != dayExt {
			yield(whole, fmt.Errorf("is not a %s file", dayExt))
			return
		}
		data, err := readFile(s.fsys, file, &s.read)
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
			if !yield(slackValueAt{Place{File: file, Number: n}, v}, nil) {
				return
			}
		}
	}
}

// slackDays reads the day files of one channel.
type slackDays struct {
	*slack
	channel slackChannel
	unknown map[string]bool // users without an entry that were told of
}

func (d slackDays) records(files []string, yield func(Record) bool) bool {
	var clock slackClock
	for _, file := range files {
		messages, ok := d.day(file, yield)
		if !ok {
			return false
		}
		for _, m := range messages {
			m.At = clock.next(m.ts)
			if !yield(m.Record) {
				return false
			}
		}
	}
	return true
}

// day yields the skips of a day file and returns its messages in order. It
// reports false when the reader stopped.
func (d slackDays) day(file string, yield func(Record) bool) ([]stamped, bool) {
	var messages []stamped
	for v, err := range d.values(file) {
		m := stamped{Record: Record{Place: v.place, Skip: BadFile}}
		if err != nil {
			m.Note = err.Error()
		} else {
			m = d.parse(v)
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

// slackClock gives the messages of a channel milliseconds that keep the order of
// their full times. Only equal times share one: that is the same message
// twice, or two users'.
type slackClock struct {
	last   time.Time // full time of the message before
	lastMS time.Time
}

// next is the time of the message after the last. One that is older, as
// only a file edited by hand has, keeps its own time.
func (c *slackClock) next(ts time.Time) time.Time {
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
