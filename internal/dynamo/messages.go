package dynamo

import (
	"bytes"
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/shard"
	"parley/internal/table"
)

// PutMessage is one conditional put: 2 write units up to 1 KB, one for the
// table and one for the index. A refusal brings the message that is kept. When that is the
// very one that an attempt of this call has put, whose answer was lost, it was created.
func (s *Store) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	epochs, err := s.epochsOf(ctx, m.Room)
	if err != nil {
		return chat.Message{}, false, err
	}
	var tries attempts
	out, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:                           &s.table,
		Item:                                table.MessageItem(m, shardOf(epochs, m.ID)),
		ConditionExpression:                 aws.String("attribute_not_exists(PK)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
	}, tries.counted)
	if old, ok := refused(err); ok {
		kept, err := table.ParseMessage(old)
		return kept, err == nil && tries.again() && same(kept, m), translate("put message", err)
	}
	if err != nil {
		return chat.Message{}, false, translate("put message", err)
	}
	s.used(ctx, Usage{Operation: "put message", Write: true}, out.ConsumedCapacity)
	return m, true, nil
}

// same tells whether two messages of one id are one to the last field.
func same(a, b chat.Message) bool {
	return a.Text == b.Text && a.ReceivedAt.Equal(b.ReceivedAt) && bytes.Equal(a.Digest, b.Digest)
}

// Message is one consistent read: 1 read unit for every 4 KB.
func (s *Store) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return chat.Message{}, err
	}
	item, err := s.getItem(ctx, "read message", table.MessageKey(room, shardOf(epochs, id), id))
	if err != nil {
		return chat.Message{}, err
	}
	if item == nil {
		return chat.Message{}, &chat.Error{Kind: chat.NotFound, Detail: "there is no such message in this room"}
	}
	m, err := table.ParseMessage(item)
	return m, translate("read message", err)
}

// shardOf is where a message lives: its sender's shard in the epoch in
// which it was sent.
func shardOf(epochs shard.Epochs, id chat.MessageID) int {
	return shard.Of(string(id.User), epochs.At(id.SentAt()).N)
}
