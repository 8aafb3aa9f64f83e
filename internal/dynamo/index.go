package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// list is a question to the table or its index: the items of one partition whose sort keys
// begin with a prefix, in order.
type list struct {
	operation string // for errors and Usage
	index     bool   // of the index, not of the table
	pk        string
	prefix    string // of the sort keys; "" is all
	// start is where the list goes on, exclusively: all key attributes of
	// the last item; nil is the beginning.
	start table.Item
	limit int
}

// listItems returns at most l.limit items and whether there are more. It touches
// what it returns and at most one item beyond: half a read unit for every 4 KB.
func (s *Store) listItems(ctx context.Context, l list) (items []table.Item, more bool, err error) {
	pk, sk := table.PK, table.SK
	in := &dynamodb.QueryInput{TableName: &s.table, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	if l.index {
		pk, sk = table.IndexPK, table.IndexSK
		in.IndexName = aws.String(table.Index)
	}
	in.KeyConditionExpression = aws.String("#pk = :pk")
	in.ExpressionAttributeNames = map[string]string{"#pk": pk}
	in.ExpressionAttributeValues = table.Item{":pk": &types.AttributeValueMemberS{Value: l.pk}}
	if l.prefix != "" {
		// Not begins_with: the local engine's makes no difference between a and A.
		keys := table.PrefixRange(l.prefix)
		in.KeyConditionExpression = aws.String("#pk = :pk AND #sk BETWEEN :low AND :high")
		in.ExpressionAttributeNames["#sk"] = sk
		in.ExpressionAttributeValues[":low"] = &types.AttributeValueMemberS{Value: keys.Low}
		in.ExpressionAttributeValues[":high"] = &types.AttributeValueMemberS{Value: keys.High}
	}
	in.ExclusiveStartKey = l.start
	for {
		in.Limit = aws.Int32(int32(l.limit + 1 - len(items)))
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return nil, false, translate(l.operation, err)
		}
		s.used(ctx, Usage{Operation: l.operation, Items: len(out.Items)}, out.ConsumedCapacity)
		items = append(items, out.Items...)
		if len(items) > l.limit {
			return items[:l.limit], true, nil
		}
		if len(out.LastEvaluatedKey) == 0 {
			return items, false, nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey // a megabyte was read
	}
}

// indexStart is the start of a list of the index that goes on behind a
// mark. pk and sk are the item's own keys.
func indexStart(indexPK string, after chat.Mark, pk, sk string) table.Item {
	if after == (chat.Mark{}) {
		return nil
	}
	key := table.Key(pk, sk)
	key[table.IndexPK] = &types.AttributeValueMemberS{Value: indexPK}
	key[table.IndexSK] = &types.AttributeValueMemberS{Value: after.Sort}
	return key
}

// marked turns items into entries, and gives the mark of the last when there are more.
func marked[T any](items []table.Item, more bool, parse func(table.Item) (T, error), mark func(T) chat.Mark) ([]T, chat.Mark, error) {
	var entries []T
	for _, item := range items {
		e, err := parse(item)
		if err != nil {
			return nil, chat.Mark{}, err
		}
		entries = append(entries, e)
	}
	if !more {
		return entries, chat.Mark{}, nil
	}
	return entries, mark(entries[len(entries)-1]), nil
}
