package dynamo

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/table"
)

// changesAtOnce is the number of rows changed concurrently. It leaves connections of the client for
// other requests.
const changesAtOnce = 32

// PutPending is one put: 1 write unit. It is retried only after a refusal. After an unknown
// outcome, a first attempt could arrive after its retry. It would then restore a subscription that
// a removal deleted in between, and the subscriber would activate it.
func (s *LiveStore) PutPending(ctx context.Context, sub live.Subscription) error {
	sub.Active = false
	_, _, err := s.table.put(ctx, "put subscription", putInput(table.LiveSubscriptionItem(sub), table.Update{}), onlyRefused)
	return err
}

// Activate is one conditional update: 1 write unit.
func (s *LiveStore) Activate(ctx context.Context, sub live.Subscription) (bool, error) {
	_, failed, err := s.table.UpdateItem(ctx, "activate subscription", table.LiveSubscriptionKey(sub.Room, sub.Connection.ID), table.LiveActivation(sub.Attempt))
	return err == nil && !failed, err
}

// Delete is one conditional delete for each subscription, 32 concurrently: 1 write unit each, even
// for a missing subscription.
func (s *LiveStore) Delete(ctx context.Context, all []live.Subscription) (bool, error) {
	var changed atomic.Bool
	err := s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		key := table.LiveSubscriptionKey(all[i].Room, all[i].Connection.ID)
		_, failed, err := s.table.deleteItem(ctx, opDeleteSubscription, key, table.LiveUnchanged(all[i]))
		if failed {
			changed.Store(true)
		}
		return err
	})
	return err == nil && !changed.Load(), err
}

// End is one conditional update for each active subscription, 32 concurrently, and otherwise
// Delete: 1 write unit each, even for a missing subscription.
func (s *LiveStore) End(ctx context.Context, all []live.Subscription) (bool, error) {
	var changed atomic.Bool
	err := s.changeEach(ctx, len(all), func(ctx context.Context, i int) error {
		if !all[i].Active {
			done, err := s.Delete(ctx, all[i:i+1])
			changed.CompareAndSwap(false, err == nil && !done)
			return err
		}
		const op = "end subscription"
		existing, failed, err := s.table.UpdateItem(ctx, op, table.LiveSubscriptionKey(all[i].Room, all[i].Connection.ID), table.LiveEnding(all[i].Attempt))
		if !failed {
			return err
		}
		now, found, err := parseItem(op, existing, err, table.ParseLiveSubscription)
		changed.CompareAndSwap(false, found && !now.Ended)
		return err
	})
	return err == nil && !changed.Load(), err
}

// Leave is one delete for each room, 32 concurrently: 1 write unit each, even for a room without a
// subscription.
func (s *LiveStore) Leave(ctx context.Context, c live.Connection, rooms []chat.RoomID) ([]chat.RoomID, error) {
	active := make([]bool, len(rooms))
	err := s.changeEach(ctx, len(rooms), func(ctx context.Context, i int) error {
		before, _, err := s.table.deleteItem(ctx, opDeleteSubscription, table.LiveSubscriptionKey(rooms[i], c.ID), table.Update{})
		sub, _, err := parseItem(opDeleteSubscription, before, err, table.ParseLiveSubscription)
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
func (s *LiveStore) changeEach(ctx context.Context, n int, change func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(changesAtOnce)
	for i := range n {
		group.Go(func() error { return change(ctx, i) })
	}
	return group.Wait()
}

// Subscriptions is one strong query: 1 read unit for every 4 KB, which is about 25 subscriptions.
func (s *LiveStore) Subscriptions(ctx context.Context, room chat.RoomID) ([]live.Subscription, error) {
	q := Query{Operation: "read audience", Partition: table.LiveRoomPK(room), Consistency: Strong}
	return queryAll(ctx, s.table, q, table.ParseLiveSubscription)
}

// SomeSubscriptions is one query: half a read unit for every 4 KB, and a whole unit if it is
// consistent.
func (s *LiveStore) SomeSubscriptions(ctx context.Context, r live.SubscriptionRange) ([]live.Subscription, bool, error) {
	q := Query{
		Operation: "read subscriptions", Partition: table.LiveRoomPK(r.Room), Consistency: Consistency(r.Consistent), Limit: r.Limit,
	}
	if r.After != "" {
		q.Start = table.LiveSubscriptionKey(r.Room, r.After)
	}
	items, next, err := s.table.Query(ctx, q)
	if err != nil {
		return nil, false, err
	}
	some, err := ParseItems(q.Operation, items, table.ParseLiveSubscription)
	return some, next != nil, err
}

// SubscriptionsOf is one batch read: half a read unit for each room, and a whole unit if it is
// consistent.
func (s *LiveStore) SubscriptionsOf(ctx context.Context, id live.ConnectionID, rooms []chat.RoomID, consistent bool) ([]live.Subscription, error) {
	const op = "read own subscriptions"
	keys := make([]table.Item, len(rooms))
	for i, room := range rooms {
		keys[i] = table.LiveSubscriptionKey(room, id)
	}
	items, err := s.table.BatchGet(ctx, op, keys, Consistency(consistent))
	if err != nil {
		return nil, err
	}
	var all []live.Subscription
	for _, item := range items {
		if sub, found, err := parseItem(op, item, nil, table.ParseLiveSubscription); err != nil {
			return nil, err
		} else if found {
			all = append(all, sub)
		}
	}
	return all, nil
}

// MarkTyping is one conditional update: 1 write unit.
func (s *LiveStore) MarkTyping(ctx context.Context, room chat.RoomID, id live.ConnectionID, now time.Time) (time.Duration, bool, error) {
	const op = "mark typing"
	existing, failed, err := s.table.UpdateItem(ctx, op, table.LiveSubscriptionKey(room, id), table.LiveTyping(now, now.Add(-live.TypingInterval)))
	if err != nil || !failed {
		return 0, err == nil, err
	}
	last, found, err := table.ParseLiveTyping(existing)
	if err != nil || !found {
		return 0, false, translate(op, err)
	}
	return min(last.Add(live.TypingInterval).Sub(now), live.TypingInterval), true, nil
}
