package purge

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/report"
	"example.com/parley/internal/table"
)

// messages removes all messages with their versions and reactions, and the rows of their authors.
// It reads 1 unit for every 4 KB of messages, at least 1 for each shard, and 1 for each message. A
// message costs 1 write unit for each KB in the table, and as much in the index.
func (j *Job) messages(ctx context.Context) error {
	shards, err := j.shards(ctx)
	if err != nil {
		return err
	}
	for shard := range shards {
		q := dynamo.Query{Partition: table.ShardPK(j.Room, shard), Consistency: dynamo.Strong}
		err := j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
			if err := j.authors(ctx, items); err != nil {
				return err
			}
			return each(ctx, items, j.message)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shards returns the largest number of shards that the room ever had. If the item with it is gone,
// as after a purge, that is the largest possible number.
func (j *Job) shards(ctx context.Context) (int, error) {
	item, err := j.table.GetItem(ctx, op, table.ShardsKey(j.Room), dynamo.Strong)
	if err != nil {
		return 0, err
	}
	epochs, err := table.ParseShards(item)
	if err != nil {
		return chat.MaxShards, nil //nolint:nilerr // missing or damaged
	}
	n := 0
	for _, e := range epochs {
		n = max(n, e.N)
	}
	return n, nil
}

// authors removes the rows of the authors of messages. Perhaps nothing else names them: posting in
// a public room needs no membership.
func (j *Job) authors(ctx context.Context, messages []table.Item) error {
	var users []chat.UserID
	for _, item := range messages {
		if id, err := table.ParseMessageKey(item); err == nil {
			if err := j.mentions(ctx, item, id); err != nil {
				return err
			}
			users = append(users, id.User)
		}
	}
	return j.removePeople(ctx, users)
}

// message removes a message after the rows below it: its versions, its thread's rows, and the
// reactions to it. Looking for them costs a read unit, as most messages have none.
func (j *Job) message(ctx context.Context, item table.Item) error {
	if id, err := table.ParseMessageKey(item); err == nil {
		if err := j.partition(ctx, table.MessageVersionsPK(j.Room, id), ""); err != nil {
			return err
		}
	}
	return j.remove(ctx, item)
}

// mentions removes the rows of the people whom a message mentions, which its ledger names. A row
// whose mention was removed expires by itself.
func (j *Job) mentions(ctx context.Context, item table.Item, id chat.MessageID) error {
	m, err := table.ParseMessage(item)
	if err != nil || m.Mentions.None() {
		return nil //nolint:nilerr // a search finds the rows of unreadable items
	}
	ledger, err := j.table.GetItem(ctx, op, table.MentionLedgerKey(j.Room, id), dynamo.Strong)
	if err != nil {
		return err
	}
	return each(ctx, mention.LedgerKeys(ledger), func(ctx context.Context, key table.Item) error {
		return j.removeKey(ctx, table.MentionKind, key)
	})
}

// documents removes all documents with their parts. Their metadata goes last, because the list of
// documents finds a document by it.
func (j *Job) documents(ctx context.Context) error {
	q := dynamo.Query{Partition: document.RoomPK(j.Room), Index: true}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		for _, item := range items {
			room, doc, err := document.ParsePK(table.PartitionOf(item))
			if err != nil || room != j.Room {
				continue
			}
			if err := j.partition(ctx, document.PK(room, doc), table.MetadataSK); err != nil {
				return err
			}
			if err := j.remove(ctx, item); err != nil {
				return err
			}
		}
		return nil
	})
}

// invitations removes all invitations in the room's list. A revoked invitation is not in it, and
// expires.
func (j *Job) invitations(ctx context.Context) error {
	q := dynamo.Query{Partition: table.InvitesIndex(j.Room), Index: true}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		return each(ctx, items, func(ctx context.Context, item table.Item) error {
			if room, err := table.InviteRoom(item); err != nil || room != j.Room {
				return nil //nolint:nilerr // it has no room, or another one
			}
			return j.remove(ctx, item)
		})
	})
}

// incoming removes all webhooks in the room's list. A removed webhook is not in it, and expires.
// Each goes after the profile and the account of its bot, which posted only here.
func (j *Job) incoming(ctx context.Context) error {
	item, err := j.table.GetItem(ctx, op, table.IncomingListKey(j.Room), dynamo.Strong)
	if err != nil || item == nil {
		return err
	}
	ids, err := incoming.ParseList(item)
	if err != nil {
		return nil //nolint:nilerr // an unreadable list is removed with the room's other items
	}
	return each(ctx, ids, func(ctx context.Context, id incoming.ID) error {
		if err := j.removeKey(ctx, table.PersonKind, incoming.BotKey(id)); err != nil {
			return err
		}
		if err := j.removeKey(ctx, table.AccountKind, table.AccountKey(chat.BotID(string(id)))); err != nil {
			return err
		}
		return j.removeKey(ctx, table.IncomingKind, table.IncomingKey(string(id)))
	})
}

// extras removes the items that are not read with the room itself, such as reports, and the rows of
// people who reported.
func (j *Job) extras(ctx context.Context) error {
	q := dynamo.Query{Partition: table.RoomItemsPK(j.Room), Consistency: dynamo.Strong}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		var users []chat.UserID
		for _, item := range items {
			if r, err := report.Parse(item); err == nil {
				users = append(users, r.ID.Reporter)
			}
		}
		if err := j.removePeople(ctx, users); err != nil {
			return err
		}
		return each(ctx, items, j.remove)
	})
}

// segments removes the feed except its closed head, one segment after another, each after the rows
// of all people whom it names. So a run removes at least one segment, however small its budget.
func (j *Job) segments(ctx context.Context) error {
	q := dynamo.Query{Partition: table.FeedPK(j.Room), Consistency: dynamo.Strong}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		removed := false
		for _, item := range items {
			if table.KindOf(item) == table.FeedHeadKind {
				continue
			}
			if err := j.afford(); removed && err != nil {
				return err
			}
			if err := j.segment(ctx, item); err != nil {
				return err
			}
			removed = true
		}
		return nil
	})
}

// segment removes a segment after the rows of the people whom it names. An unreadable segment is
// also removed.
func (j *Job) segment(ctx context.Context, item table.Item) error {
	var users []chat.UserID
	if s, err := table.ParseSegment(item); err == nil {
		for _, c := range s.Changes {
			users = append(users, c.User, c.Message.User)
		}
	}
	if err := j.removePeople(ctx, users); err != nil {
		return err
	}
	return j.remove(ctx, item)
}

// settings removes the room's own items except the tombstone.
func (j *Job) settings(ctx context.Context) error {
	return j.partition(ctx, table.RoomPK(j.Room), table.MetadataSK)
}
