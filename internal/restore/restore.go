// Package restore merges two copies of a table after a loss. An item that is missing or older in
// one of them is put back from the other, and deleted items stay deleted.
//
// Nothing newer is overwritten: every write requires that the item has not changed since it was
// read. So a restore may run while people use the table, and may run again. Feeds are never
// copied. The table's stream numbers their entries, and restored items reach feeds through it.
package restore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
)

const (
	// atOnce is the number of items that are compared and written in parallel.
	atOnce = 32
	// maxTries bounds the attempts at an item that others change concurrently.
	maxTries = 5
)

// Options select the items to restore. All but Room, Since, Memberships, DryRun and Note are
// required.
type Options struct {
	DB *dynamodb.Client
	// From is the table that is read, To the one that is written.
	From, To string
	// Point is the restore point: the time, in whole seconds, of the table that was restored from a
	// backup.
	Point time.Time
	// Room is the one room to restore. If it is empty, all rooms and people are restored.
	Room chat.RoomID
	// Since leaves out messages that were received and last changed before it. The zero time
	// leaves out nothing.
	Since time.Time
	// Memberships lets Copy put back memberships that ended in To since the restore point. It lets
	// Deletions end memberships. It is off by default, because in a damaged table a membership's
	// end may be the damage.
	Memberships bool
	// DryRun writes nothing.
	DryRun bool
	// Reads and Writes bound the units a second.
	Reads, Writes *scan.RateLimiter
	Clock         func() time.Time
	// Note receives the differing items that were left unchanged, and the reason. It may be nil.
	Note func(key, why string)
}

// run is the state that both operations share.
type run struct {
	Options
	from, to source
	kinds    map[table.Kind]table.KindRow
	compare  map[table.Kind]func(context.Context, table.Item) error // as comparisons returns them
	checks   map[table.Kind]func(table.Item) error                  // as checks returns them
	rooms    *rooms
	tally    *tally
	met      sync.Map // the memberships found in a feed, by room and user
	erased   sync.Map // whether people were erased in To since From's copy was made, by user
}

func newRun(o Options, counts Counts) *run {
	if o.Note == nil {
		o.Note = func(string, string) {}
	}
	r := &run{
		Options: o, tally: &tally{counts: counts},
		from: newSource(o.DB, o.From, o.Reads, o.Writes), to: newSource(o.DB, o.To, o.Reads, o.Writes),
	}
	r.rooms = &rooms{run: r, states: map[chat.RoomID]*roomState{}}
	r.compare, r.checks, r.kinds = r.comparisons(), checks(), table.KindRows()
	return r
}

// store returns the service's own store on a table.
func (r *run) store(name string) *dynamo.Store {
	return dynamo.New(r.DB, dynamo.Options{Table: name, Clock: r.Clock, Observe: func(
		ctx context.Context, u dynamo.Usage,
	) {
		if !u.Write {
			_ = r.Reads.Take(ctx, u.Units) // a context that has ended fails the next call
		}
	}})
}

// each calls a function with every item, many in parallel.
func each(ctx context.Context, items []table.Item, do func(context.Context, table.Item) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, item := range items {
		group.Go(func() error { return do(ctx, item) })
	}
	return group.Wait()
}

// comparison compares an item in both tables. It returns the outcome, and the writes that produce
// it.
type comparison func(context.Context) (Outcome, change, error)

// settle compares an item and writes the change. It retries if the item changes in between.
func (r *run) settle(ctx context.Context, kind table.Kind, compare comparison) error {
	for range maxTries {
		outcome, change, err := compare(ctx)
		if damaged := (*unreadableError)(nil); errors.As(err, &damaged) {
			r.tally.add(kind, Unknown)
			r.Note(damaged.key, damaged.Error())
			return nil
		}
		if err != nil {
			return err
		}
		if len(change) == 0 || r.DryRun {
			r.tally.add(kind, outcome)
			return nil
		}
		ok, err := r.to.write(ctx, change)
		if err != nil {
			return err
		}
		if ok {
			r.tally.add(kind, outcome)
			return nil
		}
	}
	r.tally.add(kind, Newer) // people keep changing it
	return nil
}

// unreadableError means that an item of To cannot be read. Such an item is left unchanged, because
// it may be newer than From's.
type unreadableError struct {
	key string
	err error
}

func (e *unreadableError) Error() string { return "in the table that is written: " + e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

// readTo parses an item of To.
func readTo[T any](item table.Item, parse func(table.Item) (T, error)) (T, error) {
	v, err := parse(item)
	if err != nil {
		err = &unreadableError{table.KeyText(item), err}
	}
	return v, err
}

// getTo reads and parses an item of To. The item is nil, and the value the zero T, when there is
// none.
func getTo[T any](
	ctx context.Context, r *run, key table.Item, parse func(table.Item) (T, error),
) (value T, item table.Item, err error) {
	if item, err = r.to.get(ctx, key); err != nil || item == nil {
		return value, nil, err
	}
	value, err = readTo(item, parse)
	return value, item, err
}

// readFrom parses an item of From. It reports false, and counts the item, when it cannot be read.
func readFrom[T any](r *run, item table.Item, parse func(table.Item) (T, error)) (T, bool) {
	v, err := parse(item)
	if err != nil {
		r.unreadable(item, err)
	}
	return v, err == nil
}

// readInRoom is readFrom for an item of a room. The room's state is nil if the item must be left
// unchanged.
func readInRoom[T any](
	ctx context.Context, r *run, item table.Item, parse func(table.Item) (T, error), room func(T) chat.RoomID,
) (T, *roomState, error) {
	v, ok := readFrom(r, item, parse)
	if !ok {
		return v, nil, nil
	}
	s, err := r.stateOf(ctx, room(v), item)
	return v, s, err
}

// unreadable counts an item that is left unchanged because it cannot be read.
func (r *run) unreadable(item table.Item, err error) {
	r.tally.add(table.KindOf(item), Unknown)
	r.Note(table.KeyText(item), err.Error())
}

// Outcome is the result of restoring one item.
type Outcome string

// The outcomes.
const (
	Put      Outcome = "put back" // it was missing
	Replaced Outcome = "replaced" // the existing one was older
	Deleted  Outcome = "deleted"  // the text of a message and of its versions
	// a membership was ended, banned, muted or reduced, or a person suspended or erased
	Changed Outcome = "changed"
	Same    Outcome = "there"            // it already exists
	Newer   Outcome = "kept"             // the existing one is newer
	Ended   Outcome = "ended"            // a membership or a person's item that ended since the restore point
	Gone    Outcome = "of deleted rooms" // left out, since nobody may read it
	Skipped Outcome = "not restored"     // it belongs only to its table: feeds, slots of slow mode
	Unknown Outcome = "not readable"     // its kind or form is unknown, or its room is missing
)

// Counts holds the number of items by kind and outcome.
type Counts map[table.Kind]map[Outcome]int

// changes are the outcomes with writes.
var changes = []Outcome{Put, Replaced, Deleted, Changed}

// Changes returns the number of items that were written, or would be without DryRun.
func (c Counts) Changes() int {
	n := 0
	for _, of := range c {
		for _, o := range changes {
			n += of[o]
		}
	}
	return n
}

// Write prints one line for each kind.
func (c Counts) Write(w io.Writer) error {
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		name := kind
		if name == "" {
			name = "without a type"
		}
		if _, err := fmt.Fprintf(w, "%-22s", name); err != nil {
			return err
		}
		for _, o := range []Outcome{Put, Replaced, Deleted, Changed, Same, Newer, Ended, Gone, Skipped, Unknown} {
			if n := c[kind][o]; n > 0 {
				if _, err := fmt.Fprintf(w, "  %d %s", n, o); err != nil {
					return err
				}
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	return nil
}

// tally is a Counts for concurrent use.
type tally struct {
	mu     sync.Mutex
	counts Counts
}

func (t *tally) add(kind table.Kind, o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts[kind] == nil {
		t.counts[kind] = map[Outcome]int{}
	}
	t.counts[kind][o]++
}
