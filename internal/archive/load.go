package archive

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/reaction"
)

const (
	// DefaultWorkers is enough to keep a store with millisecond latency busy. On a laptop, more
	// workers would only queue.
	DefaultWorkers = 16
	// DefaultPause is the first wait before a put is retried. By then the store's own attempts
	// have failed, within some 200 ms unless it hangs, so the fault lasts longer.
	DefaultPause = time.Second
	// MaxTogether is the maximum number of messages or memberships in one transaction. Fifty of the
	// longest messages fit in DynamoDB's 4 MB, and fifty memberships are its 100 writes.
	MaxTogether = 50
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
	// Together is the number of messages that one transaction puts into new rooms; 0 means that
	// each put is a request of its own. Transactions are faster on the local engine. On a deployed
	// table they need half as many write units more.
	Together int
	// Workers is the number of concurrent puts; 0 means DefaultWorkers.
	Workers int
	// Pause is the first wait before a put is retried; 0 means DefaultPause.
	Pause time.Duration
	// Counts reads the message counts of rooms; those messages are not unread for added members.
	// If it is nil, only the messages of this load are counted.
	Counts chat.FeedPositions
	// Files stores the files of messages. It is required if the archive has their bytes.
	Files *transfer.Store
	// Progress, if not nil, is called after each record that was read, by one goroutine.
	Progress func()
}

// loader is the state of one load.
type loader struct {
	Options
	store     *dynamo.Store
	accounts  account.Store
	people    people.Store
	reactions reaction.Store
	channels  map[string]chat.Room // the store's, by channel
	key       []byte               // of private rooms; nil until it is needed
	rooms     map[chat.RoomID]*room
	names     map[chat.UserID]string // in the profiles
	erased    map[chat.UserID]bool   // people who were asked for, and whether they were deleted

	mu     sync.Mutex
	report Report
	bots   map[chat.UserID]Person // programs without an account that wrote messages
	wrote  map[chat.UserID]int    // messages by their senders
	failed int                    // consecutive messages that could not be stored
	marks  map[string]*reacted    // of reactions, by room and month

	threads threads
}

// Load puts the people of an archive, its rooms, their messages and their members, in this order.
// It does not change existing rooms, profiles or memberships, and changes a message only if it
// was edited in the other system since, and never here. Another load of the same archive adds
// only the missing ones.
//
// Load returns an error if ctx ends or if something could not be stored. The report counts every
// record that was read, even then.
func Load(ctx context.Context, store *dynamo.Store, a *Archive, o Options) (Report, error) {
	if o.Shards < 1 || o.Shards > chat.MaxShards {
		return Report{}, fmt.Errorf("shards must be 1 to %d", chat.MaxShards)
	}
	if o.Workers == 0 {
		o.Workers = DefaultWorkers
	}
	o.Together = min(o.Together, MaxTogether)
	if o.Pause == 0 {
		o.Pause = DefaultPause
	}
	l := &loader{
		Options:   o,
		store:     store,
		accounts:  account.NewStore(store.Table()),
		people:    people.NewStore(store.Table()),
		reactions: reaction.NewStore(store.Table()),
		channels:  map[string]chat.Room{},
		rooms:     map[chat.RoomID]*room{},
		names:     map[chat.UserID]string{},
		erased:    map[chat.UserID]bool{},
		bots:      map[chat.UserID]Person{},
		wrote:     map[chat.UserID]int{},
		marks:     map[string]*reacted{},
		report:    Report{Skipped: map[Reason]int{}, LeftOut: map[Reason]int{}, Reasons: a.Reasons},
	}
	maps.Copy(l.report.LeftOut, a.LeftOut)
	for _, n := range a.Notes {
		l.warn(n.Place, n.Text)
	}
	l.putPeople(ctx, a.People)
	l.openRooms(ctx, a.Rooms)
	complete := l.putAll(ctx, a)
	l.putMarks(ctx)
	if complete {
		l.putPeople(ctx, slices.Collect(maps.Values(l.bots)))
		l.putMembers(ctx, a.Members)
	}
	l.report.Writers = l.writers(a.People)
	return l.report, l.outcome(ctx, complete)
}

// outcome returns the error of a load. complete reports whether all records were read.
func (l *loader) outcome(ctx context.Context, complete bool) error {
	if !complete || ctx.Err() != nil {
		return fmt.Errorf("the import ended early: %w", context.Cause(ctx))
	}
	for _, of := range []struct {
		what    string
		reasons map[Reason]int
	}{
		{"messages", l.report.Skipped}, {"people", l.report.People.LeftOut}, {"members", l.report.Members.LeftOut},
	} {
		if n := of.reasons[NotStored]; n > 0 {
			return fmt.Errorf("%d %s could not be stored", n, of.what)
		}
	}
	return nil
}

// putAll reads the records while workers put the messages. It reports whether it read all records
// before ctx ended. Each record that was read is counted.
func (l *loader) putAll(ctx context.Context, a *Archive) (complete bool) {
	groups := make(chan []job)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(groups)
	for range l.Workers {
		workers.Go(func() {
			for group := range groups {
				l.putGroup(ctx, group)
			}
		})
	}
	var group []job
	pass := func() {
		groups <- group
		group = nil
	}
	for r := range a.Records() {
		l.logNote(r)
		if r.Skip != "" {
			l.count(r, r.Skip)
		} else if group = append(group, l.threads.job(r)); len(group) >= l.Together {
			pass()
		}
		if l.Progress != nil {
			l.Progress()
		}
		if ctx.Err() != nil {
			pass()
			return false
		}
	}
	pass()
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
