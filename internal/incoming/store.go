package incoming

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// store reads and writes webhooks. It checks no rights.
type store struct{ table *dynamo.Table }

// create stores a new webhook, unless its room has MaxPerRoom. In that case it changes nothing and
// created is false. It is one transaction of the webhook, the room's list and the bot's profile: 6
// write units, and up to 8.
func (s store) create(ctx context.Context, w Webhook) (created bool, err error) {
	failed, err := s.table.TransactIf(ctx, "create incoming webhook",
		s.table.PutNew(Item(w)),
		s.table.PutNew(people.BotItem(w.Bot(), w.Name)),
		s.table.Update(table.IncomingListKey(w.Room), listed(w.ID)))
	return failed < 0 && err == nil, err
}

// webhook returns a webhook. Changes from about the last second may be missing. It is one eventual
// read: half a read unit.
func (s store) webhook(ctx context.Context, id ID) (w Webhook, found bool, err error) {
	return dynamo.ReadEventual(ctx, s.table, "read incoming webhook", key(id), parse)
}

// current is webhook by a strong read: 1 read unit.
func (s store) current(ctx context.Context, id ID) (w Webhook, found bool, err error) {
	return dynamo.ReadStrong(ctx, s.table, "read current incoming webhook", key(id), parse)
}

// list returns the webhooks of a room. It is a strong read of the list, 1 read unit, and 1 for each
// webhook.
func (s store) list(ctx context.Context, room chat.RoomID) ([]Webhook, error) {
	const op = "list incoming webhooks"
	ids, _, err := dynamo.ReadStrong(ctx, s.table, op, table.IncomingListKey(room), ParseList)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	keys := make([]table.Item, len(ids))
	for i, id := range ids {
		keys[i] = key(id)
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Strong)
	if err != nil {
		return nil, err
	}
	var all []Webhook
	for _, item := range items {
		w, found, err := dynamo.ParseItem(op, item, nil, parse)
		if err != nil {
			return nil, err
		}
		if found && !w.Removed && w.Room == room {
			all = append(all, w)
		}
	}
	return all, nil
}

// replace replaces the secret of a room's webhook, unless the room has no such webhook. It is one
// conditional update: 1 write unit.
func (s store) replace(ctx context.Context, room chat.RoomID, id ID, secret Secret) (replaced bool, err error) {
	return s.table.TryUpdate(ctx, "replace a webhook's secret", key(id), replacement(room, secret))
}

// remove removes a webhook from a room that has it. It is one transaction: 4 write units.
func (s store) remove(ctx context.Context, room chat.RoomID, id ID, now time.Time) (removed bool, err error) {
	failed, err := s.table.TransactIf(ctx, "remove incoming webhook",
		s.table.Update(key(id), removal(room, now)),
		s.table.Update(table.IncomingListKey(room), unlisted(id)))
	return failed < 0 && err == nil, err
}
