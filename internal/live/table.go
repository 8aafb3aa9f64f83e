package live

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Table is a Store, and the rows of a Catcher's missed rooms, in the table of live connections.
type Table struct{ table *dynamo.Table }

var (
	_ Store      = (*Table)(nil)
	_ MissedRows = (*Table)(nil)
)

// NewTable returns the rows of a table that exists.
func NewTable(t *dynamo.Table) *Table { return &Table{t} }

// AddRooms is one update: 1 write unit, and 2 from about 30 private rooms on. If there may be too
// many rooms, the update is repeated for the missing ones.
func (s *Table) AddRooms(ctx context.Context, c Connection, rooms []chat.RoomID, now time.Time) (bool, error) {
	const op = "add rooms to connection"
	missing := rooms
	for range chat.MaxChangeTries {
		before, failed, err := s.table.ReplaceItem(ctx, op, connectionKey(c), roomsAdded(c, missing, now, MaxRooms))
		if err != nil || !failed {
			return err == nil && table.KindOf(before) == "", err // an engine may return the keys of a new item
		}
		o, err := parseConnection(before)
		if err != nil {
			return false, fmt.Errorf("%s: %w", op, err)
		}
		missing = slices.DeleteFunc(
			slices.Clone(rooms), func(room chat.RoomID) bool { return slices.Contains(o.Rooms, room) },
		)
		if len(o.Rooms)+len(missing) > MaxRooms {
			return false, TooManyRooms()
		}
	}
	return false, chat.TooBusy()
}

// RemoveRooms is one update: 1 write unit, and 2 from about 30 private rooms on.
func (s *Table) RemoveRooms(ctx context.Context, c Connection, rooms []chat.RoomID) error {
	if len(rooms) == 0 {
		return nil
	}
	_, _, err := s.table.UpdateItem(ctx, "remove rooms from connection", connectionKey(c), roomsRemoved(rooms))
	return err
}

// SeeConnection is one update: 1 write unit, and 2 from about 30 private rooms on.
func (s *Table) SeeConnection(ctx context.Context, c Connection, now time.Time) (Opened, bool, error) {
	o, found, err := s.see(ctx, c, seenAt(now))
	o.Seen = now
	return o, found, err
}

// RenewConnection is one update, like SeeConnection.
func (s *Table) RenewConnection(ctx context.Context, c Connection, now time.Time) (Opened, bool, error) {
	o, found, err := s.see(ctx, c, renewed(c.Until, now))
	o.Seen, o.Until = now, c.Until
	return o, found, err
}

// see changes a stored connection and returns it as it was before.
func (s *Table) see(ctx context.Context, c Connection, u table.Update) (Opened, bool, error) {
	const op = "see connection"
	before, failed, err := s.table.ReplaceItem(ctx, op, connectionKey(c), u)
	if failed {
		return Opened{}, false, err
	}
	return dynamo.ParseItem(op, before, err, parseConnection)
}

// ConnectionEnds is one strong batch read for every 100 connections: 1 read unit for each.
func (s *Table) ConnectionEnds(ctx context.Context, all []Connection) (map[ConnectionID]time.Time, error) {
	const op = "read ends of connections"
	keys := make([]table.Item, len(all))
	for i, c := range all {
		keys[i] = connectionKey(c)
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Strong)
	if err != nil {
		return nil, err
	}
	ends := make(map[ConnectionID]time.Time, len(items))
	for _, item := range items {
		if table.KindOf(item) == "" {
			continue
		}
		id, end, err := parseEnd(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		ends[id] = end
	}
	return ends, nil
}

// DeleteConnection is one delete: 1 write unit, and 2 from about 30 private rooms on.
func (s *Table) DeleteConnection(ctx context.Context, c Connection) (Opened, bool, error) {
	const op = "delete connection"
	before, _, err := s.table.DeleteItemIf(ctx, op, connectionKey(c), table.Update{})
	return dynamo.ParseItem(op, before, err, parseConnection)
}

// PutGone is one put: 1 write unit.
func (s *Table) PutGone(ctx context.Context, id ConnectionID, now time.Time) error {
	_, err := s.table.PutItem(ctx, "record end of connection", goneItem(id, now), table.Update{})
	return err
}

// IsGone is one strong batch read: 1 read unit.
func (s *Table) IsGone(ctx context.Context, id ConnectionID) (bool, error) {
	items, err := s.table.BatchGet(ctx, "read end of connection", []table.Item{goneKey(id)}, dynamo.Strong)
	return err == nil && items[0] != nil, err
}

// Connections is one strong query: 1 read unit for every 4 KB of the person's connections.
func (s *Table) Connections(ctx context.Context, user chat.UserID) ([]Opened, error) {
	q := dynamo.Query{Operation: "list connections", Partition: UserPK(user), Consistency: dynamo.Strong}
	return dynamo.QueryAll(ctx, s.table, q, parseConnection)
}

// changesAtOnce is the number of rows changed concurrently. It leaves connections of the client for
// other requests.
const changesAtOnce = 32

// PutPending is one put: 1 write unit. It is retried only after a refusal. After an unknown
// outcome, a first attempt could arrive after its retry. It would then restore a subscription that
// a removal deleted in between, and the subscriber would activate it.
func (s *Table) PutPending(ctx context.Context, sub Subscription) error {
	sub.Active = false
	return s.table.PutOnce(ctx, "put subscription", subscriptionItem(sub))
}

// Activate is one conditional update: 1 write unit.
func (s *Table) Activate(ctx context.Context, sub Subscription) (bool, error) {
	_, failed, err := s.table.UpdateItem(
		ctx, "activate subscription", subscriptionKey(sub.Room, sub.Connection.ID), activation(sub.Attempt),
	)
	return err == nil && !failed, err
}

// Delete is one conditional delete for each subscription, 32 concurrently: 1 write unit each, even
// for a missing subscription.
func (s *Table) Delete(ctx context.Context, all []Subscription) (bool, error) {
	var changed atomic.Bool
	err := s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		key := subscriptionKey(all[i].Room, all[i].Connection.ID)
		_, failed, err := s.table.DeleteItemIf(ctx, opDeleteSubscription, key, unchanged(all[i]))
		if failed {
			changed.Store(true)
		}
		return err
	})
	return err == nil && !changed.Load(), err
}

// End is one conditional update for each active subscription, 32 concurrently, and otherwise
// Delete: 1 write unit each, even for a missing subscription.
func (s *Table) End(ctx context.Context, all []Subscription) (bool, error) {
	var changed atomic.Bool
	err := s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		if !all[i].Active {
			done, err := s.Delete(ctx, all[i:i+1])
			changed.CompareAndSwap(false, err == nil && !done)
			return err
		}
		const op = "end subscription"
		existing, failed, err := s.table.UpdateItem(
			ctx, op, subscriptionKey(all[i].Room, all[i].Connection.ID), ending(all[i].Attempt),
		)
		if !failed {
			return err
		}
		now, found, err := dynamo.ParseItem(op, existing, err, parseSubscription)
		changed.CompareAndSwap(false, found && !now.Ended)
		return err
	})
	return err == nil && !changed.Load(), err
}

// Leave is one delete for each room, 32 concurrently: 1 write unit each, even for a room without a
// subscription.
func (s *Table) Leave(ctx context.Context, c Connection, rooms []chat.RoomID) ([]chat.RoomID, error) {
	active := make([]bool, len(rooms))
	err := s.changeEach(ctx, len(rooms), func(ctx context.Context, i int) error {
		before, _, err := s.table.DeleteItemIf(
			ctx, opDeleteSubscription, subscriptionKey(rooms[i], c.ID), table.Update{},
		)
		sub, _, err := dynamo.ParseItem(opDeleteSubscription, before, err, parseSubscription)
		active[i] = sub.Active
		return err
	})
	var left []chat.RoomID
	for i, room := range rooms {
		if active[i] {
			left = append(left, room)
		}
	}
	return left, err
}

// opDeleteSubscription names the operation in errors and usage.
const opDeleteSubscription = "delete subscription"

// changeEach runs n changes, changesAtOnce of them concurrently. The first error stops it.
func (s *Table) changeEach(ctx context.Context, n int, change func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(changesAtOnce)
	for i := range n {
		group.Go(func() error { return change(ctx, i) })
	}
	return group.Wait()
}

// Subscriptions is one strong query: 1 read unit for every 4 KB, which is about 25 subscriptions.
func (s *Table) Subscriptions(ctx context.Context, room chat.RoomID) ([]Subscription, error) {
	q := dynamo.Query{Operation: "read audience", Partition: RoomPK(room), Consistency: dynamo.Strong}
	return dynamo.QueryAll(ctx, s.table, q, parseSubscription)
}

// SomeSubscriptions is one query: half a read unit for every 4 KB, and a whole unit if it is
// consistent.
func (s *Table) SomeSubscriptions(ctx context.Context, r SubscriptionRange) ([]Subscription, bool, error) {
	q := dynamo.Query{
		Operation: "read subscriptions", Partition: RoomPK(r.Room), Consistency: dynamo.Consistency(r.Consistent),
		Limit: r.Limit,
	}
	if r.After != "" {
		q.Start = subscriptionKey(r.Room, r.After)
	}
	items, next, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, false, err
	}
	some, err := dynamo.ParseItems(q.Operation, items, parseSubscription)
	return some, next != nil, err
}

// SubscriptionsOf is one batch read: half a read unit for each room, and a whole unit if it is
// consistent.
func (s *Table) SubscriptionsOf(
	ctx context.Context, id ConnectionID, rooms []chat.RoomID, consistent bool,
) ([]Subscription, error) {
	const op = "read own subscriptions"
	keys := make([]table.Item, len(rooms))
	for i, room := range rooms {
		keys[i] = subscriptionKey(room, id)
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Consistency(consistent))
	if err != nil {
		return nil, err
	}
	var all []Subscription
	for _, item := range items {
		if sub, found, err := dynamo.ParseItem(op, item, nil, parseSubscription); err != nil {
			return nil, err
		} else if found {
			all = append(all, sub)
		}
	}
	return all, nil
}

// MarkTyping is one conditional update: 1 write unit.
func (s *Table) MarkTyping(
	ctx context.Context, room chat.RoomID, id ConnectionID, now time.Time,
) (time.Duration, bool, error) {
	const op = "mark typing"
	existing, failed, err := s.table.UpdateItem(
		ctx, op, subscriptionKey(room, id), typingMarked(now, now.Add(-TypingInterval)),
	)
	if err != nil || !failed {
		return 0, err == nil, err
	}
	last, found, err := parseTyping(existing)
	if err != nil {
		return 0, false, fmt.Errorf("%s: %w", op, err)
	}
	if !found {
		return 0, false, nil
	}
	return min(last.Add(TypingInterval).Sub(now), TypingInterval), true, nil
}

// missedAtOnce is the number of rows that SomeMissed reads: about 40 KB.
const missedAtOnce = 250

// PutMissed is one conditional put for each row, 32 concurrently: 1 write unit each.
func (s *Table) PutMissed(ctx context.Context, all []Missed, now time.Time) error {
	return s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		_, err := s.table.PutItem(
			ctx, "remember missed changes", missedItem(all[i], now), missedBefore(all[i].Head, false),
		)
		return err
	})
}

// SomeMissed is one eventual query: half a read unit for every 4 KB, and at least half a unit.
func (s *Table) SomeMissed(ctx context.Context) ([]Missed, error) {
	q := dynamo.Query{Operation: "read missed changes", Partition: missedPK, Limit: missedAtOnce}
	items, _, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	return dynamo.ParseItems(q.Operation, items, parseMissed)
}

// DeleteMissed is one conditional delete for each row, 32 concurrently: 1 write unit each, even for
// a missing row.
func (s *Table) DeleteMissed(ctx context.Context, all []Missed) error {
	return s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		_, _, err := s.table.DeleteItemIf(
			ctx, "forget missed changes", missedKey(all[i]), missedBefore(all[i].Head, true),
		)
		return err
	})
}
