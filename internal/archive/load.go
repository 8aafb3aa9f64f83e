package archive

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"parley/internal/chat"
)

const (
	// DefaultWorkers is enough to keep a store busy that answers within milliseconds. On
	// a laptop, more workers would only queue.
	DefaultWorkers = 16
	// DefaultPause is the first wait before a put is retried. The store's own attempts have failed
	// by then, within some 200 ms unless it hangs. The fault therefore takes longer to pass.
	DefaultPause = time.Second
	// digestKeySize is the size of a room's digest key.
	digestKeySize = 32
)

// Options are the settings of a load.
type Options struct {
	// Shards, Creator and Now are the number of shards, from 1 to chat.MaxShards, the creator and
	// the creation time of the rooms that the load creates.
	Shards  int
	Creator chat.UserID
	Now     time.Time
	// Random provides the digest keys of rooms. It must be unpredictable.
	Random io.Reader
	// Log receives a line for each defect. It never contains message text.
	Log *slog.Logger
	// Workers is the number of concurrent puts; 0 means DefaultWorkers.
	Workers int
	// Pause is the first wait before a put is retried; 0 means DefaultPause.
	Pause time.Duration
	// Progress, if not nil, is called after each record that was read, by one goroutine.
	Progress func()
}

// loader is the state of one load.
type loader struct {
	Options
	store chat.Store
	rooms map[chat.RoomID]chat.Room

	mu     sync.Mutex
	report Report
	failed int // consecutive messages that could not be stored
}

// Load creates the rooms of an archive and puts its messages. It uses an existing room unchanged.
// Another load of the same archive only adds messages that are missing.
//
// Load returns an error if ctx ends or if some messages could not be stored. The report counts
// every record that was read, even then.
func Load(ctx context.Context, store chat.Store, a *Archive, o Options) (Report, error) {
	if o.Shards < 1 || o.Shards > chat.MaxShards {
		return Report{}, fmt.Errorf("shards must be 1 to %d", chat.MaxShards)
	}
	if o.Workers == 0 {
		o.Workers = DefaultWorkers
	}
	if o.Pause == 0 {
		o.Pause = DefaultPause
	}
	l := &loader{
		Options: o,
		store:   store,
		rooms:   map[chat.RoomID]chat.Room{},
		report:  Report{Skipped: map[Reason]int{}, Reasons: a.Reasons},
	}
	for _, n := range a.Notes {
		l.warn(n.Place, n.Text)
	}
	for _, r := range a.Rooms {
		l.report.Rooms = append(l.report.Rooms, RoomReport{Room: r.ID})
		l.createRoom(ctx, r)
	}
	complete := l.putAll(ctx, a)
	return l.report, l.outcome(ctx, complete)
}

// outcome returns the error of a load. Complete is whether all records were read.
func (l *loader) outcome(ctx context.Context, complete bool) error {
	if !complete {
		return fmt.Errorf("the import ended early: %w", context.Cause(ctx))
	}
	if n := l.report.Skipped[NotStored]; n > 0 {
		return fmt.Errorf("%d messages could not be stored", n)
	}
	return nil
}

// putAll reads the records while workers put the messages. It reports whether it read all records
// before ctx ended. Each record that was read is counted.
func (l *loader) putAll(ctx context.Context, a *Archive) (complete bool) {
	messages := make(chan Record)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(messages)
	for range l.Workers {
		workers.Go(func() {
			for r := range messages {
				l.count(r, l.put(ctx, r))
			}
		})
	}
	for r := range a.Records() {
		l.logNote(r)
		if r.Skip != "" {
			l.count(r, r.Skip)
		} else {
			messages <- r
		}
		if l.Progress != nil {
			l.Progress()
		}
		if ctx.Err() != nil {
			return false
		}
	}
	return true
}

// logNote logs the note of a record, if it has one.
func (l *loader) logNote(r Record) {
	switch {
	case r.Note == "":
	case r.Skip == "":
		l.warn(r.Place, r.Note)
	default:
		l.warn(r.Place, "skipped: "+r.Note)
	}
}

// warn logs a defect of the archive.
func (l *loader) warn(at Place, text string) {
	attrs := []any{"file", at.File}
	if at.Number > 0 {
		attrs = append(attrs, "record", at.Number)
	}
	l.Log.Warn(text, attrs...)
}
