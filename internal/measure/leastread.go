package measure

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// leastHistory reads a room in pages of a limit, by a query in each shard for exactly the page's
// messages from it. It returns the units: pages that start anew cannot use fewer.
func (b *Bench) leastHistory(ctx context.Context, room chat.RoomID, shards, limit int) (units float64, err error) {
	messages, span, before := b.talk(room), chat.MessageRange{Room: room}, ""
	slices.SortFunc(messages, func(a, b chat.Message) int { return span.PositionOf(b).Compare(span.PositionOf(a)) })
	for page := range slices.Chunk(messages, limit) {
		have := make([]int32, shards)
		for _, m := range page {
			have[shard.ForUser(string(m.ID.User), shards)]++
		}
		for i, n := range have {
			if n == 0 {
				continue
			}
			out, err := b.query(ctx, table.ShardPK(room, i), before, n)
			if err != nil {
				return 0, err
			}
			units += aws.ToFloat64(out.ConsumedCapacity.CapacityUnits)
		}
		before = indexKey(table.MessageItem(page[len(page)-1], 0))
	}
	return units, nil
}

// indexKey returns the sort key of an item in the index.
func indexKey(item table.Item) string {
	if key, ok := item[table.IndexSK].(*types.AttributeValueMemberS); ok {
		return key.Value
	}
	return ""
}

// query returns the newest items of a partition of the index, before a sort key unless it is empty.
func (b *Bench) query(ctx context.Context, pk, before string, limit int32) (*dynamodb.QueryOutput, error) {
	in := &dynamodb.QueryInput{
		TableName: &b.table, IndexName: aws.String(table.Index),
		KeyConditionExpression:    aws.String("#pk = :pk"),
		ExpressionAttributeNames:  map[string]string{"#pk": table.IndexPK},
		ExpressionAttributeValues: table.Item{":pk": &types.AttributeValueMemberS{Value: pk}},
		ScanIndexForward:          aws.Bool(false), Limit: aws.Int32(limit),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if before != "" {
		in.KeyConditionExpression = aws.String("#pk = :pk AND #sk < :before")
		in.ExpressionAttributeNames["#sk"] = table.IndexSK
		in.ExpressionAttributeValues[":before"] = &types.AttributeValueMemberS{Value: before}
	}
	return b.db.Query(ctx, in)
}
