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
	// DefaultWorkers keeps a store busy that answers within milliseconds;
	// more would only queue on a laptop.
	DefaultWorkers = 16
	// DefaultPause is the first wait before a put is tried again. The store's
	// own attempts have failed by then, within some 200 ms unless it hangs: what
	// is wrong takes longer to pass.
	DefaultPause = time.Second
	// digestKeySize is the size of a room's digest key.
	digestKeySize = 32
)

// Options are the settings of a load.
type Options struct {
	Shards int         // of the rooms that are made, 1 to chat.MaxShards
	Maker  chat.UserID // of the rooms that are made
	Now    time.Time   // when they are made
	// Random is where the keys of rooms come from; it must be unpredictable.
	Random io.Reader
	// Log is told of everything broken; no message text.
	Log *slog.Logger
	// Workers is how many messages are put at once; 0 is DefaultWorkers.
	Workers int
	// Pause is the first wait before a put is tried again; 0 is DefaultPause.
	Pause time.Duration
	// Progress, where not nil, is called after every record that was read, by
	// one goroutine.
	Progress func()
}

// loader is one load under way.
type loader struct {
	Options
	store chat.Store
	rooms map[chat.RoomID]chat.Room

	mu     sync.Mutex
	report Report
	failed int // messages in a row that could not be stored
}

// Load makes the rooms of an archive and puts its messages. A room that exists
// is used as it is. The report counts every record that was read, also when
// there is an error: when ctx ended, or some could not be stored. Loading
// again adds what is missing and nothing else.
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
		l.makeRoom(ctx, r)
	}
	complete := l.putAll(ctx, a)
	return l.report, l.outcome(ctx, complete)
}

// outcome is the error of a load that read all records, or ended before.
func (l *loader) outcome(ctx context.Context, complete bool) error {
	if !complete {
		return fmt.Errorf("the import ended early: %w", context.Cause(ctx))
	}
	if n := l.report.Skipped[NotStored]; n > 0 {
		return fmt.Errorf("%d messages could not be stored", n)
	}
	return nil
}

// putAll reads the records and has the workers put the messages. It reports
// false when ctx ended first; what was read is counted either way.
func (l *loader) putAll(ctx context.Context, a *Archive) (complete bool) {
	messages := make(chan Record)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(messages)
	for range l.Workers {
		workers.Go(func() {
			for r := range messages {
				l.count(l.put(ctx, r))
			}
		})
	}
	for r := range a.Records() {
		l.tell(r)
		if r.Skip != "" {
			l.count(r.Skip)
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

// tell writes the line about a record, if there is one.
func (l *loader) tell(r Record) {
	switch {
	case r.Note == "":
	case r.Skip == "":
		l.warn(r.Place, r.Note)
	default:
		l.warn(r.Place, "skipped: "+r.Note)
	}
}

// warn writes the line about something broken.
func (l *loader) warn(at Place, text string) {
	where := []any{"file", at.File}
	if at.Number > 0 {
		where = append(where, "record", at.Number)
	}
	l.Log.Warn(text, where...)
}
