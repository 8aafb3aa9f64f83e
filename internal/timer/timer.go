// Package timer keeps rows of work for a later time. One sweep each minute does the work that is
// due, so waiting costs nothing but its row.
package timer

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// pk is the partition of all timers, in the order of their times.
const pk = "timers"

// timeForm is of fixed length, so that texts and times have one order.
const timeForm = "2006-01-02T15:04:05.000Z"

// Timer is work that is due at a time.
type Timer struct {
	At   time.Time // to the millisecond
	Name string    // names the work, such as "hook#…"
}

// Keys returns the patterns of the partitions that hold timers.
func Keys() []string { return []string{pk} }

// Key returns the primary key of a timer.
func (t Timer) Key() table.Item {
	return table.Key(pk, t.At.UTC().Format(timeForm)+"#"+t.Name)
}

// Set keeps a timer: 1 write unit. A name may have several timers.
func Set(ctx context.Context, t *dynamo.Table, timer Timer) error {
	item := timer.Key()
	table.Stamp(item, table.TimerKind)
	_, err := t.PutItem(ctx, "set timer", item, table.Update{})
	return err
}

// Due returns timers whose time has come, oldest first: at most limit. It costs 1 read unit for
// every 4 KB, which hold some 40.
func Due(ctx context.Context, t *dynamo.Table, now time.Time, limit int) ([]Timer, error) {
	q := dynamo.Query{
		Operation: "list due timers", Partition: pk, Consistency: dynamo.Strong, Limit: limit,
		// "$" follows "#", so a timer of this millisecond is due.
		Keys: dynamo.KeyRange{High: table.Text(now.UTC().Format(timeForm) + "$")},
	}
	items, _, err := t.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	return dynamo.ParseItems(q.Operation, items, parse)
}

// Clear removes a timer that is done: 1 write unit.
func Clear(ctx context.Context, t *dynamo.Table, timer Timer) error {
	_, err := t.DeleteItem(ctx, "clear timer", timer.Key())
	return err
}

func parse(item table.Item) (Timer, error) {
	r := table.Reader{Item: item}
	r.Expect(table.TimerKind)
	text, name, _ := strings.Cut(r.Text(table.SK), "#")
	at, err := time.Parse(timeForm, text)
	r.Keep(err)
	if r.Err != nil {
		return Timer{}, fmt.Errorf("timer: %w", r.Err)
	}
	return Timer{At: at, Name: name}, nil
}
