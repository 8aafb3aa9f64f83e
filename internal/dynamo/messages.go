package dynamo

import (
	"bytes"
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// PutMessage is one conditional put: 2 write units up to 1 KB, one for the table and one for the
// index. If the id is taken it returns the existing message. If an attempt of this call put it and
// only the response was lost, PutMessage reports it as created, unless it has changed since.
func (s *Store) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	epochs, err := s.epochsOf(ctx, m.Room)
	if err != nil {
		return chat.Message{}, false, err
	}
	put, err := s.table.InsertItem(ctx, "put message", table.MessageItem(m, shardOf(epochs, m.ID)))
	if err != nil {
		return chat.Message{}, false, err
	}
	if !put.Failed {
		return m, true, nil
	}
	existing, err := table.ParseMessage(put.Existing)
	return existing, err == nil && put.Retried && same(existing, m), translate("put message", err)
}

// PutMessages puts messages whose ids are all new. Otherwise it changes nothing and ok is false. It
// is one transaction: 3 write units for each message up to 1 KB, two for the table and
// one for the index.
func (s *Store) PutMessages(ctx context.Context, all []chat.Message) (bool, error) {
	writes := make([]Write, len(all))
	for i, m := range all {
		epochs, err := s.epochsOf(ctx, m.Room)
		if err != nil {
			return false, err
		}
		writes[i] = s.table.PutNew(table.MessageItem(m, shardOf(epochs, m.ID)))
	}
	return s.table.transactIf(ctx, "put messages", anyConditionFailed, writes...)
}

// same reports whether two messages with the same id are the same message in the same revision.
func same(a, b chat.Message) bool {
	return a.Revision == b.Revision && a.Text == b.Text && a.ReceivedAt.Equal(b.ReceivedAt) &&
		bytes.Equal(a.Digest, b.Digest)
}

// Message is one strong read: 1 read unit for every 4 KB.
func (s *Store) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return chat.Message{}, err
	}
	m, found, err := ReadStrong(
		ctx, s.table, "read message", table.MessageKey(room, shardOf(epochs, id), id), table.ParseMessage,
	)
	if err == nil && !found {
		err = &chat.Error{Kind: chat.NotFound, Detail: "this room has no such message"}
	}
	return m, err
}

// shardOf returns a message's shard: its sender's shard in the epoch in which it was sent.
func shardOf(epochs shard.Epochs, id chat.MessageID) int {
	return shard.ForUser(string(id.User), epochs.At(id.SentAt()).N)
}

// walkPage is the number of items that one query of EachMessage reads, up to a megabyte. With
// typical messages that is some 40 read units, so a repair's limit of units per second holds
// within a second.
const walkPage = 1000

// EachMessage queries the table partition of every shard that the room ever had, one after
// another. It does not use the index, which holds only the messages that the room's pages show. It
// costs 1 read unit for every 8 KB and half a unit for an empty shard. It may miss writes from
// about the last second.
func (s *Store) EachMessage(ctx context.Context, room chat.RoomID, page func([]chat.Message) error) error {
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return err
	}
	everyShard := 0
	for _, epoch := range epochs {
		everyShard = max(everyShard, epoch.N)
	}
	for shard := range everyShard {
		if err := s.walkShard(ctx, table.ShardPK(room, shard), page); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) walkShard(ctx context.Context, pk string, page func([]chat.Message) error) error {
	const op = "walk messages"
	q := Query{Operation: op, Partition: pk, Consistency: Eventual, Limit: walkPage}
	return s.table.EachPage(ctx, q, func(items []table.Item) error {
		items = slices.DeleteFunc(items, func(item table.Item) bool {
			return table.KindOf(item) != table.MessageKind // written by a later version
		})
		messages, err := ParseItems(op, items, table.ParseMessage)
		if err != nil {
			return err
		}
		return page(messages)
	})
}

// SystemMessage is one strong read: 1 read unit for every 4 KB of the message.
func (s *Store) SystemMessage(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, bool, error) {
	const op = "read system message"
	key, err := s.messageKey(ctx, room, id)
	if err != nil {
		return chat.Message{}, false, err
	}
	projection, names := table.SystemProjection()
	item, err := s.table.getPart(ctx, op, key, projection, names)
	return ParseItem(op, item, err, table.ParseSystem)
}

// PutSystemMessage is one conditional update: 2 write units up to 1 KB.
func (s *Store) PutSystemMessage(ctx context.Context, m chat.Message) (bool, error) {
	epochs, err := s.epochsOf(ctx, m.Room)
	if err != nil {
		return false, err
	}
	shard := shardOf(epochs, m.ID)
	return s.table.TryUpdate(
		ctx, "put system message", table.MessageKey(m.Room, shard, m.ID), table.SystemUpdate(m, shard),
	)
}

// systemWrites puts new system messages as a part of the change that they report.
func (s *Store) systemWrites(ctx context.Context, about []chat.Message) (writes []Write, err error) {
	for _, m := range about {
		epochs, err := s.epochsOf(ctx, m.Room)
		if err != nil {
			return nil, err
		}
		writes = append(writes, s.table.PutNew(table.MessageItem(m, shardOf(epochs, m.ID))))
	}
	return writes, nil
}
