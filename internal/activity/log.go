package activity

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

// Log identifies a log: a room's audit log if Room is set, a person's audit log if Person is set,
// and otherwise a device's log.
type Log struct {
	User   chat.UserID
	Device DeviceID
	Room   chat.RoomID
	Person chat.UserID
}

// IsAudit reports whether a log is an audit log.
func (l Log) IsAudit() bool { return l.Room != "" || l.Person != "" }

// LogEntry is one line of a log.
type LogEntry struct {
	At   time.Time // to the microsecond; unique within a log
	ID   string    // identifies a retry
	Type string
	// Detail is additional text from the writer of the entry; it may be empty.
	Detail string
	// By and On are the actor and the person affected, in an audit log.
	By, On chat.UserID
	// Via is the service that acted on the actor's behalf, if any.
	Via chat.UserID
	// Expires is when the entry is no longer returned, in whole seconds.
	Expires time.Time
}

// LogRange is a range of a log. The bounds are exclusive; the zero time is unbounded.
type LogRange struct {
	Log           Log
	After, Before time.Time
	Now           time.Time // entries that have expired by then are left out
	Limit         int
}

// LogQuery selects the entries strictly between two times; the zero time is unbounded.
type LogQuery struct {
	After, Before time.Time
	chat.PageRequest
}

// readLog returns the entries that match a query of a log that the caller may read, newest first.
func (s *Service) readLog(ctx context.Context, log Log, q LogQuery) (chat.Page[LogEntry], error) {
	if !q.After.IsZero() && !q.Before.IsZero() && !q.After.Before(q.Before) {
		return chat.Page[LogEntry]{}, chat.Invalidf("before", "must be later than after")
	}
	scope := q.cursorScope(log)
	var after logPosition
	if err := q.Read(scope, &after); err != nil {
		return chat.Page[LogEntry]{}, err
	}
	r := LogRange{Log: log, After: q.After, Before: q.Before, Now: chat.ServerTime(s.recorder.clock()), Limit: q.Limit}
	if expired := s.recorder.lastExpired(r.Now); r.After.Before(expired) {
		r.After = expired
	}
	if !after.at.IsZero() {
		r.Before = after.at // newest first, so the next page is older
	}
	entries, more, err := s.recorder.store.ReadLog(ctx, r)
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
		Text(string(log.Person)).Time(q.After).Time(q.Before)
}

// logPosition is a position in a log: after the entry with this time.
type logPosition struct{ at time.Time }

// CursorFields implements CursorPosition.
func (p *logPosition) CursorFields(f *chat.CursorCodec) {
	f.Time(&p.at)
	f.Check(!p.at.IsZero() && p.at.Equal(p.at.Truncate(LogStep)))
}

// lastExpired returns the last instant whose entries have all expired by now. Queries do not read
// entries up to it, so that expired entries that are still stored cost nothing. A shorter
// retention takes effect immediately.
func (r *Recorder) lastExpired(now time.Time) time.Time {
	return now.Truncate(time.Second).Add(-r.retention - LogStep)
}
