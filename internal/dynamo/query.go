package dynamo

import (
	"cmp"
	"context"
	"maps"
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// Query reads items of one partition, in the order of their sort keys.
type Query struct {
	Operation   string
	Partition   string
	Keys        KeyRange
	Index       bool // reads the index, which is always eventual
	Consistency Consistency
	NewestFirst bool              // in descending order of the sort keys
	Limit       int               // 0 means as many as fit in a megabyte
	Start       table.Item        // the key after which to start, exclusively; nil is the beginning
	Projection  string            // the attributes to return; "" means all
	Names       map[string]string // of attributes in Projection, except the keys
	Filter      table.Filter
}

// KeyRange bounds sort keys, both inclusive. A nil bound is open.
type KeyRange struct{ Low, High types.AttributeValue }

// Between returns the range of the keys from low to high.
func Between(low, high string) KeyRange {
	return KeyRange{&types.AttributeValueMemberS{Value: low}, &types.AttributeValueMemberS{Value: high}}
}

// WithPrefix returns the range of the keys that begin with a prefix: all keys for "". It does not
// use begins_with, which ignores case in the local engine.
func WithPrefix(prefix string) KeyRange {
	if prefix == "" {
		return KeyRange{}
	}
	keys := table.PrefixRange(prefix)
	return Between(keys.Low, keys.High)
}

// Query makes one call and returns the Start of the next, or nil at the end. A strong query costs
// 1 read unit for every 4 KB, an eventual query half of that, and each at least the price of 4 KB.
func (t *Table) Query(ctx context.Context, q Query) (items []table.Item, next table.Item, err error) {
	growStack()
	out, err := t.db.Query(ctx, t.queryInput(q))
	if err != nil {
		return nil, nil, translate(q.Operation, err)
	}
	t.used(ctx, Usage{Operation: q.Operation, Items: len(out.Items)}, out.ConsumedCapacity)
	if err := t.checkPage(q, out.Items, out.LastEvaluatedKey); err != nil {
		return nil, nil, err
	}
	if len(out.LastEvaluatedKey) == 0 {
		return out.Items, nil, nil
	}
	return out.Items, out.LastEvaluatedKey, nil
}

// EachPage calls each with the items of every call, until the end of the query.
func (t *Table) EachPage(ctx context.Context, q Query, each func([]table.Item) error) error {
	for {
		items, next, err := t.Query(ctx, q)
		if err != nil {
			return err
		}
		if err := each(items); err != nil {
			return err
		}
		if q.Start = next; next == nil {
			return nil
		}
	}
}

func (t *Table) queryInput(q Query) *dynamodb.QueryInput {
	pk, sk := t.pk, t.sk
	in := &dynamodb.QueryInput{
		TableName: &t.name, ScanIndexForward: aws.Bool(!q.NewestFirst), ExclusiveStartKey: q.Start,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if q.Index {
		pk, sk = table.IndexPK, table.IndexSK
		in.IndexName = aws.String(table.Index)
	}
	if q.Consistency == Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	if q.Limit > 0 {
		in.Limit = aws.Int32(int32(min(q.Limit, math.MaxInt32)))
	}
	condition, names, values := q.Keys.condition(sk)
	in.KeyConditionExpression = aws.String("#pk = :pk" + condition)
	names["#pk"], values[":pk"] = pk, &types.AttributeValueMemberS{Value: q.Partition}
	in.FilterExpression, in.ProjectionExpression = expression(q.Filter.Expression), expression(cmp.Or(
		q.Projection, q.Filter.Projection,
	))
	if low, ok := q.Keys.Low.(*types.AttributeValueMemberS); ok && in.ProjectionExpression == nil && !q.Index {
		var confined map[string]string
		in.ProjectionExpression, confined = t.projection(q.Partition, low.Value)
		maps.Copy(names, confined)
	}
	maps.Copy(names, q.Names)
	maps.Copy(names, q.Filter.Names)
	maps.Copy(values, q.Filter.Values)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = names, values
	return in
}

// condition returns the condition on the sort key, which follows the one on the partition key.
func (r KeyRange) condition(sk string) (condition string, names map[string]string, values table.Item) {
	names, values = map[string]string{"#sk": sk}, table.Item{}
	if r.Low != nil {
		values[":low"] = r.Low
	}
	if r.High != nil {
		values[":high"] = r.High
	}
	switch {
	case r.Low != nil && r.High != nil:
		return " AND #sk BETWEEN :low AND :high", names, values
	case r.Low != nil:
		return " AND #sk >= :low", names, values
	case r.High != nil:
		return " AND #sk <= :high", names, values
	}
	delete(names, "#sk") // DynamoDB refuses a name that no expression uses
	return "", names, values
}

// OwnItems reads a person's items whose sort keys have a prefix.
func OwnItems[T any](
	ctx context.Context, t *Table, user chat.UserID, prefix string, parse func(table.Item) (T, error),
) ([]T, error) {
	q := Query{
		Operation: "list own " + prefix, Partition: table.PersonPK(user), Keys: WithPrefix(prefix),
		Consistency: Eventual,
	}
	return QueryAll(ctx, t, q, parse)
}

// ListPage reads a page of q.Limit items by a query. It returns the position of the last item if
// the list continues. It reads the items that it returns and at most one more: half a read unit
// for every 4 KB of an eventual query.
func ListPage[T any](
	ctx context.Context, t *Table, q Query, parse func(table.Item) (T, error), position func(T) chat.ListPosition,
) ([]T, chat.ListPosition, error) {
	var items []table.Item
	limit := q.Limit
	for {
		q.Limit = limit + 1 - len(items)
		found, next, err := t.Query(ctx, q)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		items = append(items, found...)
		if q.Start = next; next == nil || len(items) > limit {
			break
		}
	}
	page, err := ParseItems(q.Operation, items[:min(len(items), limit)], parse)
	if err != nil || len(items) <= limit {
		return page, chat.ListPosition{}, err
	}
	return page, position(page[len(page)-1]), nil
}

// IndexStart returns the start of an index query that continues after a position. key is the
// primary key of the item there; IndexStart modifies it. It returns nil for the zero position.
func IndexStart(indexPK string, after chat.ListPosition, key table.Item) table.Item {
	if after == (chat.ListPosition{}) {
		return nil
	}
	key[table.IndexPK], key[table.IndexSK] = table.Text(indexPK), table.Text(after.Sort)
	return key
}
