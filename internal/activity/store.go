package activity

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Store stores logs in a separate table. All methods return a *chat.Error of kind Unavailable if
// the table cannot answer at present.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the logs in a table of NewLogTable.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// AppendLog stores an entry at its time, or at the first free microsecond after it. If it meets an
// entry with the same id on the way, it changes nothing, returns that entry, and created is false.
// The error is Conflict if MaxPerInstant consecutive microseconds are taken, and Unavailable if
// MaxAppendPuts writes are not enough.
//
// It is one conditional put: 1 write unit for an entry below 1 KB. If the instant is taken,
// it reads all entries there once, a read unit for every 4 KB, and puts at the first free instant.
// That is one more put, and another for each entry that is concurrently put there.
//
// An entry is put at an instant only if all instants before it are taken, and no entry is removed
// while a retry may come. So a retry always ends at the entry itself.
func (s Store) AppendLog(ctx context.Context, log Log, e LogEntry) (stored LogEntry, created bool, err error) {
	kept, created, err := s.putLog(ctx, log, e)
	if err != nil || created || kept.ID == e.ID {
		return kept, created, err
	}
	taken, err := s.instant(ctx, log, e.At)
	if err != nil {
		return LogEntry{}, false, err
	}
	puts := 1
	for n := range MaxPerInstant {
		at := e
		at.At = e.At.Add(time.Duration(n) * LogStep)
		kept, is := taken[at.At.UnixMicro()]
		if !is && puts == MaxAppendPuts {
			return LogEntry{}, false, errInstantBusy()
		}
		if !is {
			puts++
			if kept, created, err = s.putLog(ctx, log, at); err != nil || created {
				return kept, created, err
			}
		}
		if kept.ID == e.ID {
			return kept, false, nil
		}
	}
	return LogEntry{}, false, errInstantFull()
}

// putLog puts an entry, or returns the existing entry with its time.
func (s Store) putLog(ctx context.Context, log Log, e LogEntry) (LogEntry, bool, error) {
	put, err := s.table.InsertItem(ctx, "append to log", log.item(e))
	if err != nil {
		return LogEntry{}, false, err
	}
	if !put.Failed {
		return e, true, nil
	}
	existing, _, err := dynamo.ParseItem("append to log", put.Existing, nil, log.parse)
	return existing, false, err
}

// instant returns the entries at an instant, by their microseconds. The put finds entries added
// later.
func (s Store) instant(ctx context.Context, log Log, at time.Time) (map[int64]LogEntry, error) {
	const op = "read instant of log"
	items, _, err := s.table.Query(ctx, dynamo.Query{
		Operation: op, Partition: log.key(), Consistency: dynamo.Strong,
		Keys: dynamo.KeyRange{Low: table.LogTime(at), High: table.LogTime(at.Add((MaxPerInstant - 1) * LogStep))},
	})
	if err != nil {
		return nil, err
	}
	entries, err := dynamo.ParseItems(op, items, log.parse)
	if err != nil {
		return nil, err
	}
	taken := map[int64]LogEntry{}
	for _, e := range entries {
		taken[e.At.UnixMicro()] = e
	}
	return taken, nil
}

// ReadLog returns the entries of a range, newest first, and whether there are more.
//
// It costs half a read unit for every 4 KB. It reads one entry more than it returns, to learn
// whether there are more. Most expired entries are before the range's After and are not read. Some
// are after it: their retention was shorter, or they moved on from a taken instant. A filter skips
// them.
func (s Store) ReadLog(ctx context.Context, span LogRange) (entries []LogEntry, more bool, err error) {
	q, ok := logQuery(span)
	if !ok {
		return nil, false, nil
	}
	q.Limit = span.Limit + 1
	for {
		items, next, err := s.table.Query(ctx, q)
		if err != nil {
			return nil, false, err
		}
		parsed, err := dynamo.ParseItems(q.Operation, items, span.Log.parse)
		if err != nil {
			return nil, false, err
		}
		entries = append(entries, parsed...)
		if len(entries) > span.Limit {
			return entries[:span.Limit], true, nil
		}
		if q.Start = next; next == nil {
			return entries, false, nil
		}
		// Some entries had expired, so many more may have.
		q.Limit = max(logBatch, span.Limit+1-len(entries))
	}
}

// logBatch is the minimum number of entries per read once expired ones were found, so that
// skipping thousands needs few calls.
const logBatch = 200

// logQuery returns the query for a range. A range excludes both bounds and a query includes them,
// so they move a step inward. It reports false if nothing is between them.
func logQuery(span LogRange) (dynamo.Query, bool) {
	q := dynamo.Query{
		Operation: "read log", Partition: span.Log.key(), Consistency: dynamo.Eventual, NewestFirst: true,
		Filter: table.Filter{
			Expression: "#expires > :now",
			Names:      map[string]string{"#expires": table.LogTTL},
			Values:     table.Item{":now": table.Number(span.Now.Unix())},
		},
	}
	first, last := floor(span.After).Add(LogStep), ceil(span.Before).Add(-LogStep)
	if !span.After.IsZero() {
		q.Keys.Low = table.LogTime(first)
	}
	if !span.Before.IsZero() {
		q.Keys.High = table.LogTime(last)
	}
	empty := !span.After.IsZero() && !span.Before.IsZero() && last.Before(first)
	return q, !empty
}

// floor and ceil round a bound of any precision to the log's, so that the same entries lie strictly
// after or before it.
func floor(t time.Time) time.Time { return t.Truncate(LogStep) }

func ceil(t time.Time) time.Time {
	if f := floor(t); !f.Equal(t) {
		return f.Add(LogStep)
	}
	return t
}

// LogLine returns an entry for the store of another object in the same account and Region, which
// adds it in the transaction that changes the object. It is stored at its time, or at the first
// free microsecond after it. It costs 2 write units for an entry below 1 KB.
func (s Store) LogLine(log Log, e LogEntry) dynamo.Line { return s.line(log, e, MaxAppendPuts-1) }

// line returns an entry that may move on to another time for a number of times.
func (s Store) line(log Log, e LogEntry, moves int) dynamo.Line {
	return dynamo.Line{
		Write: s.table.PutNew(log.item(e)),
		Later: func(ctx context.Context) (dynamo.Line, error) {
			if moves == 0 {
				return dynamo.Line{}, errInstantBusy()
			}
			at, err := s.free(ctx, log, e.At)
			e.At = at
			return s.line(log, e, moves-1), err
		},
	}
}

// free returns the first free instant from a time on. It reads all entries there: a read unit for
// every 4 KB.
func (s Store) free(ctx context.Context, log Log, from time.Time) (time.Time, error) {
	taken, err := s.instant(ctx, log, from)
	if err != nil {
		return time.Time{}, err
	}
	for n := range MaxPerInstant {
		at := from.Add(time.Duration(n) * LogStep)
		if _, is := taken[at.UnixMicro()]; !is {
			return at, nil
		}
	}
	return time.Time{}, errInstantFull()
}

func errInstantFull() error {
	return chat.Conflictf("the log holds too many entries at this instant; report another time")
}

func errInstantBusy() error {
	return &chat.Error{
		Kind: chat.Unavailable, RetryAfter: dynamo.RetryAfter,
		Detail: "the log is too busy at this instant; " + chat.RetryHint,
	}
}
