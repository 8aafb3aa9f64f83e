package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// walkPage is how many items one query of EachMessage reads: some 40 read units of usual messages,
// so that a repair's bound on units a second holds within a second, and at most a megabyte.
const walkPage = 1000

// EachMessage queries the table partition of each shard that the room ever had, one after another
// and not the index, whose keys say what the room's listing shows. It costs 1 read unit for every
// 8 KB of what is there and half a unit for an empty shard. What was written within the last second
// or so may be missing.
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
	in := &dynamodb.QueryInput{
		TableName:                 &s.table,
		KeyConditionExpression:    aws.String("PK = :pk"),
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: pk}},
		Limit:                     aws.Int32(walkPage),
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	for {
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return translate("walk messages", err)
		}
		s.used(ctx, Usage{Operation: "walk messages", Items: len(out.Items)}, out.ConsumedCapacity)
		messages := make([]chat.Message, 0, len(out.Items))
		for _, item := range out.Items {
			if table.KindOf(item) != table.MessageKind {
				continue // of a later version
			}
			m, err := table.ParseMessage(item)
			if err != nil {
				return translate("walk messages", err)
			}
			messages = append(messages, m)
		}
		if err := page(messages); err != nil {
			return err
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return nil
		}
	}
}
