package dynamo

import (
	"bytes"
	"context"

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
