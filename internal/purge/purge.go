// Package purge removes the contents of a deleted room from its table: messages with their
// versions, documents, invitations, reports, the feed, and each person's own rows. Since the
// deletion, nobody can read them.
//
// The tombstone and the closed head of the feed stay forever. So the id is never free again, and
// no late change restarts the feed. A purge keeps no progress of its own: it may end at any time,
// and the next one removes the rest. An item that leads to others is removed after them.
package purge

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithytime "github.com/aws/smithy-go/time"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
)

const (
	// atOnce is the number of items that are removed in parallel.
	atOnce = 16
	// pageSize is the number of items that one query reads. It bounds the excess over a budget.
	pageSize = 100
	// settleTime is how long after a deletion earlier requests may still write: the age of a
	// cached room plus the longest request.
	settleTime = chat.RoomCacheAge + 20*time.Second
	op         = "purge room"
)

// Options select the room to purge. Only Budget, DryRun and Note are optional.
type Options struct {
	DB    *dynamodb.Client
	Table string
	Room  chat.RoomID
	// Reads and Writes bound the units a second.
	Reads, Writes *scan.RateLimiter
	// Budget bounds the read units of one run. 0 means no bound.
	Budget float64
	// DryRun counts the items and removes none.
	DryRun bool
	Clock  func() time.Time
	// Note receives the counts so far after each page, one call at a time.
	Note func(Counts)
}

// Counts is the number of removed items by kind.
type Counts map[table.Kind]int

// Total returns the number of all items.
func (c Counts) Total() int {
	n := 0
	for _, of := range c {
		n += of
	}
	return n
}

// String lists the counts, such as "3 message, 1 room".
func (c Counts) String() string {
	text := ""
	for _, kind := range slices.Sorted(maps.Keys(c)) {
		if text != "" {
			text += ", "
		}
		name := kind
		if name == "" {
			name = "without a type"
		}
		text += fmt.Sprintf("%d %s", c[kind], name)
	}
	return text
}

// NotDeletedError means that the table has no tombstone: it has the room, or nothing of it.
type NotDeletedError struct {
	Room   chat.RoomID
	Exists bool
}

func (e *NotDeletedError) Error() string {
	if e.Exists {
		return fmt.Sprintf(
			"the room %s is not deleted; an owner deletes it with DELETE /rooms/%s first", e.Room, e.Room,
		)
	}
	return fmt.Sprintf("there is no deleted room %s", e.Room)
}

// Job is a purge of one room. It is used once.
type Job struct {
	Options
	table  *dynamo.Table
	mu     sync.Mutex
	counts Counts
	people map[chat.UserID]bool // whose rows are removed
}

// New returns a purge.
func New(o Options) *Job {
	return &Job{Options: o, counts: Counts{}, people: map[chat.UserID]bool{},
		table: dynamo.NewTable(o.DB, o.Table, func(ctx context.Context, u dynamo.Usage) {
			limiter := o.Reads
			if u.Write {
				limiter = o.Writes
			}
			_ = limiter.Take(ctx, u.Units) // a context that has ended fails the next call
		})}
}

// Counts returns the number of items removed so far.
func (j *Job) Counts() Counts {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.counts)
}

// Run removes the contents of the room. Its error is a *NotDeletedError, and nothing is removed,
// if the room is not deleted. It is scan.ErrBudget when the budget is used up. It starts when
// requests from before the deletion have ended, at most half a minute later.
func (j *Job) Run(ctx context.Context) error {
	if err := j.begin(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		j.listedPeople, j.messages, j.documents, j.invitations, j.incoming, j.extras, j.segments, j.settings,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// begin checks that the room is deleted, and that its feed is closed.
func (j *Job) begin(ctx context.Context) error {
	item, err := j.table.GetItem(ctx, op, table.MetadataKey(j.Room), dynamo.Strong)
	if err != nil {
		return err
	}
	d, err := table.ParseRoomTombstone(item)
	if err != nil || d.Room.ID != j.Room {
		return &NotDeletedError{Room: j.Room, Exists: item != nil}
	}
	if err := smithytime.SleepWithContext(ctx, d.At.Add(settleTime).Sub(j.Clock())); err != nil {
		return err
	}
	head, err := j.table.GetItem(ctx, op, table.FeedHeadKey(j.Room), dynamo.Strong)
	if err != nil || j.DryRun {
		return err
	}
	if _, closed := table.ParseFeedClosure(head); closed {
		return nil
	}
	return j.table.Transact(ctx, op, []dynamo.Write{j.table.Update(table.FeedHeadKey(j.Room), table.FeedClosure(d.At))})
}

// pages calls a function with each page of a query. Its error is scan.ErrBudget if the budget is
// used up before a page.
func (j *Job) pages(ctx context.Context, q dynamo.Query, do func(context.Context, []table.Item) error) error {
	for more := true; more; {
		if err := j.afford(); err != nil {
			return err
		}
		var err error
		if more, err = j.page(ctx, &q, do); err != nil {
			return err
		}
	}
	return nil
}

// page calls a function with one page of a query and moves the query past it. It reports whether
// there may be more.
func (j *Job) page(ctx context.Context, q *dynamo.Query, do func(context.Context, []table.Item) error) (bool, error) {
	q.Operation, q.Limit = op, pageSize
	items, next, err := j.table.Query(ctx, *q)
	if err != nil {
		return false, err
	}
	if err := do(ctx, items); err != nil {
		return false, err
	}
	j.note()
	q.Start = next
	return next != nil, nil
}

// afford returns scan.ErrBudget when the budget is used up.
func (j *Job) afford() error {
	if j.Budget > 0 && j.Reads.Used() >= j.Budget {
		return scan.ErrBudget
	}
	return nil
}

// partition removes all items of a partition except the one whose sort key is keep.
func (j *Job) partition(ctx context.Context, pk, keep string) error {
	return j.pages(ctx, dynamo.Query{
		Partition: pk, Consistency: dynamo.Strong,
	}, func(ctx context.Context, items []table.Item) error {
		return each(ctx, items, func(ctx context.Context, item table.Item) error {
			if table.KeyText(item) == table.KeyText(table.Key(pk, keep)) {
				return nil
			}
			return j.remove(ctx, item)
		})
	})
}

// remove removes an item that a query has found.
func (j *Job) remove(ctx context.Context, item table.Item) error {
	if !j.DryRun {
		if existed, err := j.table.DeleteItem(ctx, op, table.ItemKey(item)); err != nil || !existed {
			return err
		}
	}
	j.count(table.KindOf(item))
	return nil
}

// note reports the progress.
func (j *Job) note() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.Note != nil {
		j.Note(maps.Clone(j.counts))
	}
}

func (j *Job) count(kind table.Kind) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.counts[kind]++
}

// each calls a function with every element, many in parallel.
func each[T any](ctx context.Context, all []T, do func(context.Context, T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, one := range all {
		group.Go(func() error { return do(ctx, one) })
	}
	return group.Wait()
}
