// Package restore brings two copies of a table together after a loss: what one has is put back into
// the other, where it is missing or older there, and what was deleted stays deleted.
//
// Nothing newer is overwritten: every write has the condition that the item is as it was read. So it
// runs beside people who use the table, and can be run again. Feeds are never copied. They are
// numbered by the stream of the table, and what is put back reaches them through it.
package restore

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/scan"
	"parley/internal/table"
)

const (
	// atOnce is how many items are compared and written side by side.
	atOnce = 32
	// maxTries bounds how often an item is looked at anew that somebody has changed meanwhile.
	maxTries = 5
)

// Options say what is brought together. All but Room, Since, Memberships, DryRun and Note are required.
type Options struct {
	DB *dynamodb.Client
	// From is the table that is read, To the one that is written.
	From, To string
	// Point is the restore point: the second as of which the restored one of the two tables is.
	Point time.Time
	// Room is the one room that is restored; empty is all, and people.
	Room chat.RoomID
	// Since leaves out messages that were received and last changed before; zero leaves out none.
	Since time.Time
	// Memberships puts back, in a copy, memberships that ended in To since the restore point. In
	// Deletions it is required for ending any: in a damaged table an end may be the damage.
	Memberships bool
	// DryRun writes nothing.
	DryRun bool
	// Reads and Writes bound the units a second.
	Reads, Writes *scan.Pace
	Clock         func() time.Time
	// Note is told of items that were left alone although they differ, and why; nil is nobody.
	Note func(key, why string)
}

// run is what both operations have in common.
type run struct {
	Options
	from, to source
	rooms    *rooms
	tally    *tally
	met      sync.Map // memberships that a feed has told of, by room and user
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
	return r
}

// store is the service's own view of a table.
func (r *run) store(name string) *dynamo.Store {
	return dynamo.New(r.DB, dynamo.Options{Table: name, Clock: r.Clock, Observe: func(ctx context.Context, u dynamo.Usage) {
		if !u.Write {
			_ = r.Reads.Take(ctx, u.Units) // a context that has ended ends the next call
		}
	}})
}

// each hands items to a function, many at once.
func each(ctx context.Context, items []table.Item, do func(context.Context, table.Item) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, item := range items {
		group.Go(func() error { return do(ctx, item) })
	}
	return group.Wait()
}

// attempt is one look at an item: what is to become of it, and the writes that make it so.
type attempt func(context.Context) (Outcome, change, error)

// settle looks at an item, and again where somebody has changed it before it was written.
func (r *run) settle(ctx context.Context, kind table.Kind, look attempt) error {
	for range maxTries {
		outcome, change, err := look(ctx)
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
	r.tally.add(kind, Newer) // people are at work on it
	return nil
}

// unreadableError is an item of the table that is written which cannot be read. It is left alone:
// nothing says whether it is newer.
type unreadableError struct {
	key string
	err error
}

func (e *unreadableError) Error() string { return "in the table that is written: " + e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

// read parses an item of the table that is written.
func read[T any](item table.Item, parse func(table.Item) (T, error)) (T, error) {
	v, err := parse(item)
	if err != nil {
		err = &unreadableError{table.KeyText(item), err}
	}
	return v, err
}

// unreadable counts an item that is left alone.
func (r *run) unreadable(item table.Item, err error) {
	r.tally.add(table.KindOf(item), Unknown)
	r.Note(table.KeyText(item), err.Error())
}
