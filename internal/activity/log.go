package activity

import (
	"context"
	"time"

	"parley/internal/chat"
)

// Log names one log: a person's device's, or a room's audit, where Room is set.
type Log struct {
	User   chat.UserID
	Device DeviceID
	Room   chat.RoomID
}

// LogEntry is one line of a log.
type LogEntry struct {
	At   time.Time // to the microsecond; no two entries of a log have the same
	ID   string    // by which a retry is known
	Type string
	// Detail says more, in the words of whoever wrote the entry; may be empty.
	Detail string
	// By and On are who did it and to whom, in a room's audit.
	By, On chat.UserID
	// Expires is when the entry is served no more, in whole seconds.
	Expires time.Time
}

// Store keeps logs, in a table of its own.
type Store interface {
	// AppendLog keeps an entry at its time, or at the first free microsecond after
	// it. It reports false, and changes nothing, when on the way there it meets an entry of the same
	// id, which it returns. Conflict when MaxPerInstant in a row are taken; Unavailable when
	// MaxAppendPuts are not enough.
	AppendLog(ctx context.Context, log Log, e LogEntry) (kept LogEntry, created bool, err error)
	// ReadLog returns entries of a span, newest first, and whether there are more.
	ReadLog(ctx context.Context, span LogRange) (entries []LogEntry, more bool, err error)
}

// LogRange is the part of a log that is asked for. Its bounds are not in it; zero is none.
type LogRange struct {
	Log           Log
	After, Before time.Time
	Now           time.Time // entries that expire by then are left out
	Limit         int
}

// LogQuery asks for entries strictly between two times; zero is no bound.
type LogQuery struct {
	After, Before time.Time
	chat.PageRequest
}

// readLog answers a question about a log that the caller may read, newest first.
func (s *Service) readLog(ctx context.Context, log Log, q LogQuery) (chat.Page[LogEntry], error) {
	if !q.After.IsZero() && !q.Before.IsZero() && !q.After.Before(q.Before) {
		return chat.Page[LogEntry]{}, chat.Invalidf("before", "must be later than after")
	}
	scope := q.cursorScope(log)
	var after logPosition
	if err := q.Read(scope, &after); err != nil {
		return chat.Page[LogEntry]{}, err
	}
	span := LogRange{Log: log, After: q.After, Before: q.Before, Now: chat.ServerTime(s.recorder.clock()), Limit: q.Limit}
	if gone := s.recorder.expired(span.Now); span.After.Before(gone) {
		span.After = gone
	}
	if !after.at.IsZero() {
		span.Before = after.at // newest first: what comes next is older
	}
	entries, more, err := s.recorder.store.ReadLog(ctx, span)
	if err != nil {
		return chat.Page[LogEntry]{}, err
	}
	page := chat.Page[LogEntry]{Items: entries}
	if more {
		page.Next = chat.EncodeCursor(scope, &logPosition{entries[len(entries)-1].At})
	}
	return page, nil
}

func (q LogQuery) cursorScope(log Log) chat.CursorScope {
	return chat.NewCursorScope("log").Text(string(log.User)).Text(string(log.Device)).Text(string(log.Room)).
		Time(q.After).Time(q.Before)
}

// logPosition is a position in a log: behind the entry of this time.
type logPosition struct{ at time.Time }

// CursorFields implements CursorPosition.
func (p *logPosition) CursorFields(f *chat.CursorFields) {
	f.Time(&p.at)
	f.Check(!p.at.IsZero() && p.at.Equal(p.at.Truncate(LogStep)))
}

// expired is the last instant of which every entry has expired by now: nothing up to it is asked for, so
// that it costs nothing how many still stand there. A log that is kept for less time than before ends there
// at once.
func (r *Recorder) expired(now time.Time) time.Time {
	return now.Truncate(time.Second).Add(-r.retention - LogStep)
}
