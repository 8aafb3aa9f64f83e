package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

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
