package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
	"example.com/parley/internal/tally"
)

// Counted is one strong read of the message: 1 read unit for every 4 KB of the whole message, of
// which it returns only the parts that a count needs.
func (s *Store) Counted(ctx context.Context, room chat.RoomID, id chat.MessageID) (tally.Message, bool, error) {
	const op = "read tally"
	key, err := s.messageKey(ctx, room, id)
	if chat.KindOf(err) == chat.NotFound { // the room is deleted
		return tally.Message{}, false, nil
	}
	if err != nil {
		return tally.Message{}, false, err
	}
	projection, names := table.TallyProjection()
	item, err := s.table.getPart(ctx, op, key, projection, names)
	return ParseItem(op, item, err, table.ParseTally)
}

// getPart is a strong read of the attributes of an item that a projection selects: 1 read unit for
// every 4 KB of the whole item. The item is empty if there is none.
func (t *Table) getPart(
	ctx context.Context, op string, key table.Item, projection string, names map[string]string,
) (table.Item, error) {
	out, err := t.db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &t.name, Key: key, ConsistentRead: aws.Bool(true),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		ProjectionExpression:   &projection, ExpressionAttributeNames: names,
	})
	if err != nil {
		return nil, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Items: min(1, len(out.Item))}, out.ConsumedCapacity)
	return out.Item, checkItem(op, out.Item, key, true)
}

// messageKey returns the primary key of a message.
func (s *Store) messageKey(ctx context.Context, room chat.RoomID, id chat.MessageID) (table.Item, error) {
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return nil, err
	}
	return table.MessageKey(room, shardOf(epochs, id), id), nil
}

// ReactionCounts makes strong queries of a message's rows: 1 read unit for every 4 KB, which is
// about 16 rows. The rows of one emoji are contiguous, since no emoji contains another one and
// "#".
func (s *Store) ReactionCounts(ctx context.Context, room chat.RoomID, id chat.MessageID) ([]chat.ReactionCount, error) {
	keys := table.ReactionsRange("")
	q := Query{
		Operation: "count reactions", Partition: table.MessageVersionsPK(room, id), Keys: Between(keys.Low, keys.High),
		Consistency: Strong, Projection: "#sk",
	}
	var all []chat.ReactionCount
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		for _, item := range items {
			emoji, _, err := table.ParseReactionSK(item)
			if err != nil {
				return err
			}
			if n := len(all); n == 0 || all[n-1].Emoji != emoji {
				all = append(all, chat.ReactionCount{Emoji: emoji})
			}
			all[len(all)-1].Count++
		}
		return nil
	})
	return all, err
}

// VoteCounts makes strong queries of the votes in a message's poll: 1 read unit for every 4 KB,
// which is about 40 votes.
func (s *Store) VoteCounts(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.VoteCount, error) {
	projection, names := table.ChoicesProjection()
	q := Query{
		Operation: "count votes", Partition: table.MessageVersionsPK(room, id), Keys: WithPrefix(table.VotePrefix),
		Consistency: Strong, Projection: projection, Names: names,
	}
	var all chat.VoteCount
	err := s.table.EachPage(ctx, q, func(items []table.Item) error {
		for _, item := range items {
			choices, err := table.ParseChoices(item)
			if err != nil {
				return err
			}
			all.Add(choices)
		}
		return nil
	})
	return all, err
}

// PutTally is one conditional update: 1 write unit for every KB of the whole message, and as many
// for the index.
func (s *Store) PutTally(ctx context.Context, room chat.RoomID, id chat.MessageID, after chat.Tally) (bool, error) {
	const op = "put tally"
	key, err := s.messageKey(ctx, room, id)
	if err != nil {
		return false, err
	}
	u := table.TallyUpdate(after)
	out, err := s.table.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table.name, Key: key,
		UpdateExpression: &u.Expression, ConditionExpression: &u.Condition,
		ExpressionAttributeNames: u.Names, ExpressionAttributeValues: u.Values,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal, // and no attributes, which the role does not allow
	})
	if _, failed := conditionFailed(err); failed {
		return false, nil
	}
	if err != nil {
		return false, translate(op, err)
	}
	s.table.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	return true, nil
}
