package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// ReviseMessage is one transaction, which doubles the write units of the table. An edit writes the
// message (3 units up to 1 KB, with the index), the version and the copy of the
// newest (2 each), the first one the original too: 7 units, or 9. A deletion writes the message
// and every version.
//
// When it was cancelled it finds out what stands. Cancelled by another one under way, which may have revised this
// very message, it looks as well: where nothing was changed meanwhile, the same call may be made again.
func (s *Store) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	epochs, err := s.epochsOf(ctx, before.Room)
	if err != nil {
		return chat.Message{}, false, err
	}
	op := "edit message"
	changes := s.editedVersions(before, after)
	if after.Deleted() {
		op = "delete message"
		changes = s.erasedVersions(before)
	}
	message := types.TransactWriteItem{Update: s.update(
		table.MessageKey(before.Room, shardOf(epochs, before.ID), before.ID), table.MessageRevision(before, after),
	)}
	var tries attempts
	err = s.transact(ctx, op, append([]types.TransactWriteItem{message}, changes...), tries.counted)
	var cancelled *types.TransactionCanceledException
	switch {
	case err == nil:
		return after, true, nil
	case !errors.As(err, &cancelled):
		return chat.Message{}, false, translate(op, err)
	}
	kept, readErr := s.Message(ctx, before.Room, before.ID)
	if readErr != nil {
		return chat.Message{}, false, readErr
	}
	if kept.Revision == before.Revision || !overtaken(err, tries, kept.Revision > after.Revision) {
		return chat.Message{}, false, translate(op, err)
	}
	return kept, false, nil
}

// editedVersions puts the version of an edit where there is none, and the copy of the
// newest; the first edit puts the original too.
func (s *Store) editedVersions(before, after chat.Message) []types.TransactWriteItem {
	version, newest := table.MessageVersionItems(after.Version())
	puts := []types.TransactWriteItem{s.putNew(version), {Put: &types.Put{TableName: &s.table, Item: newest}}}
	if before.Revision == 1 {
		original, _ := table.MessageVersionItems(before.Version())
		puts = append(puts, s.putNew(original))
	}
	return puts
}

func (s *Store) putNew(item table.Item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &s.table, Item: item, ConditionExpression: aws.String("attribute_not_exists(PK)"),
	}}
}

// erasedVersions takes the text out of every version and of the copy of the newest. A message
// that was never edited has none.
func (s *Store) erasedVersions(m chat.Message) []types.TransactWriteItem {
	if m.Versions() == 1 {
		return nil
	}
	var updates []types.TransactWriteItem
	for number := range m.Versions() + 1 {
		key := table.MessageVersionKey(chat.MessageVersion{Room: m.Room, ID: m.ID, Number: number})
		updates = append(updates, types.TransactWriteItem{Update: s.update(key, table.MessageVersionErasure())})
	}
	return updates
}

// MessageVersions reads versions by their exact keys.
func (s *Store) MessageVersions(ctx context.Context, newest chat.MessageVersion, limit int) ([]chat.MessageVersion, error) {
	return pageOfVersions(ctx, s, versions[chat.MessageVersion]{
		operation: "read message versions", parse: table.ParseMessageVersion,
		key: func(number int) table.Item {
			which := newest
			which.Number = number
			return table.MessageVersionKey(which)
		},
	}, newest.Number, limit)
}
