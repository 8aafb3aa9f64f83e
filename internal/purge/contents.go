package purge

import (
	"context"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/table"
)

// messages removes all messages with their versions, and the rows of their authors. It reads 1 unit
// for every 4 KB of messages, and at least 1 for each shard. A message costs 1 write unit for each
// KB in the table, and as much in the index.
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
// as after a purge, that is the largest possible one.
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

// authors removes the rows of the authors of messages. Nothing else may name them: posting in a
// public room needs no membership.
func (j *Job) authors(ctx context.Context, messages []table.Item) error {
	var users []chat.UserID
	for _, item := range messages {
		if id, err := table.ParseMessageKey(item); err == nil {
			users = append(users, id.User)
		}
	}
	return j.removePeople(ctx, users)
}

// message removes a message after its versions. Only an edited message has some.
func (j *Job) message(ctx context.Context, item table.Item) error {
	id, err := table.ParseMessageKey(item)
	m, unreadable := table.ParseMessage(item)
	if err == nil && (unreadable != nil || m.Revision > 1) {
		if err := j.partition(ctx, table.MessageVersionsPK(j.Room, id), ""); err != nil {
			return err
		}
	}
	return j.remove(ctx, item)
}

// documents removes all documents with their parts. Their metadata goes last, because the list of
// documents finds a document by it.
func (j *Job) documents(ctx context.Context) error {
	q := dynamo.Query{Partition: table.DocumentsPK(j.Room), Index: true}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		for _, item := range items {
			room, doc, err := table.ParseDocumentPK(table.PartitionOf(item))
			if err != nil || room != j.Room {
				continue
			}
			if err := j.partition(ctx, table.DocumentPK(room, doc), table.MetadataSK); err != nil {
				return err
			}
			if err := j.remove(ctx, item); err != nil {
				return err
			}
		}
		return nil
	})
}

// invitations removes all invitations in the room's list. One that was revoked is not in it, and
// expires.
func (j *Job) invitations(ctx context.Context) error {
	q := dynamo.Query{Partition: table.InvitesIndex(j.Room), Index: true}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		return each(ctx, items, func(ctx context.Context, item table.Item) error {
			if room, err := table.InviteRoom(item); err != nil || room != j.Room {
				return nil //nolint:nilerr // it is of no room, or of another one
			}
			return j.remove(ctx, item)
		})
	})
}

// extras removes the items that are not read with the room itself, such as reports, and the rows of
// people who reported.
func (j *Job) extras(ctx context.Context) error {
	q := dynamo.Query{Partition: table.RoomExtraPK(j.Room), Consistency: dynamo.Strong}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		var users []chat.UserID
		for _, item := range items {
			if r, err := table.ParseReport(item); err == nil {
				users = append(users, r.ID.Reporter)
			}
		}
		if err := j.removePeople(ctx, users); err != nil {
			return err
		}
		return each(ctx, items, j.remove)
	})
}

// segments removes the feed except its closed head, and the rows of all people whom the feed names.
func (j *Job) segments(ctx context.Context) error {
	q := dynamo.Query{Partition: table.FeedPK(j.Room), Consistency: dynamo.Strong}
	return j.pages(ctx, q, func(ctx context.Context, items []table.Item) error {
		var users []chat.UserID
		var segments []table.Item
		for _, item := range items {
			if table.KindOf(item) == table.FeedHeadKind {
				continue
			}
			segments = append(segments, item)
			s, err := table.ParseSegment(item)
			if err != nil {
				continue // it is removed all the same
			}
			for _, c := range s.Changes {
				users = append(users, c.User, c.Message.User)
			}
		}
		if err := j.removePeople(ctx, users); err != nil {
			return err
		}
		return each(ctx, segments, j.remove)
	})
}

// settings removes the room's own items except the tombstone.
func (j *Job) settings(ctx context.Context) error {
	return j.partition(ctx, table.RoomPK(j.Room), table.MetadataSK)
}
