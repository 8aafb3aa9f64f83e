package chat

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// Log names one log: a person's device's, or a room's audit, where Room is set.
type Log struct {
	User   UserID
	Device DeviceID
	Room   RoomID
}

// LogEntry is one line of a log.
type LogEntry struct {
	At   time.Time // to the microsecond; no two entries of a log have the same
	ID   string    // by which a retry is known
	Type string
	// Detail says more, in the words of whoever wrote the entry; may be empty.
	Detail string
	// By and On are who did it and to whom, in a room's audit.
	By, On UserID
	// Expires is when the entry is served no more, in whole seconds.
	Expires time.Time
}

// LogStore keeps logs, in a table of its own.
type LogStore interface {
	// AppendLog keeps an entry at its time, or at the first free microsecond after
	// it. It reports false, and changes nothing, when on the way there it meets an entry of the same
	// id, which it returns. Conflict when MaxPerInstant in a row are taken; Unavailable when
	// MaxAppendPuts are not enough.
	AppendLog(ctx context.Context, log Log, e LogEntry) (kept LogEntry, created bool, err error)
	// ReadLog returns entries of a span, newest first, and whether there are more.
	ReadLog(ctx context.Context, span LogSpan) (entries []LogEntry, more bool, err error)
}

// LogSpan is the part of a log that is asked for. Its bounds are not in it; zero is none.
type LogSpan struct {
	Log           Log
	After, Before time.Time
	Now           time.Time // entries that expire by then are left out
	Limit         int
}

// LogQuestion asks for entries strictly between two times; zero is no bound.
type LogQuestion struct {
	After, Before time.Time
	PageOf
}

// LogPage answers it, newest first.
type LogPage struct {
	Entries []LogEntry
	Next    string // empty at the end
}

// readLog answers a question about a log that the caller may read.
func (s *ActivityService) readLog(ctx context.Context, log Log, q LogQuestion) (LogPage, error) {
	if !q.After.IsZero() && !q.Before.IsZero() && !q.After.Before(q.Before) {
		return LogPage{}, invalid("before", "must be later than after")
	}
	question := fmt.Sprintf("log %q %d %d", log, unixMicro(q.After), unixMicro(q.Before))
	mark, err := q.after(question)
	if err != nil {
		return LogPage{}, err
	}
	span := LogSpan{Log: log, After: q.After, Before: q.Before, Now: ServerTime(s.recorder.clock()), Limit: q.Limit}
	if gone := s.recorder.expired(span.Now); span.After.Before(gone) {
		span.After = gone
	}
	if mark != (Mark{}) {
		// Newest first, a page goes on before the last entry of the page before.
		micro, err := strconv.ParseInt(mark.Sort, 10, 64)
		if err != nil {
			return LogPage{}, badCursor("the cursor is not one of ours")
		}
		span.Before = time.UnixMicro(micro).UTC()
	}
	entries, more, err := s.recorder.store.ReadLog(ctx, span)
	if err != nil {
		return LogPage{}, err
	}
	page := LogPage{Entries: entries}
	if more {
		last := entries[len(entries)-1].At
		page.Next = encodeMark(question, Mark{Sort: strconv.FormatInt(last.UnixMicro(), 10)})
	}
	return page, nil
}

// expired is the last instant of which every entry has expired by now: nothing up to it is asked for, so
// that it costs nothing how many still stand there. A log that is kept for less time than before ends there
// at once.
func (r *Recorder) expired(now time.Time) time.Time {
	return now.Truncate(time.Second).Add(-r.retention - LogStep)
}

func unixMicro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}
