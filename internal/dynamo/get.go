package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

// GetItem reads one item; it returns nil if there is none. A strong read costs 1 read unit for
// every 4 KB, an eventual read half of that.
func (t *Table) GetItem(ctx context.Context, op string, key table.Item, c Consistency) (table.Item, error) {
	in := &dynamodb.GetItemInput{
		TableName: &t.name, Key: key, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if c == Strong {
		in.ConsistentRead = aws.Bool(true)
	}
	in.ProjectionExpression, in.ExpressionAttributeNames = t.projection(table.PartitionOf(key), table.SortKeyOf(key))
	growStack()
	out, err := t.db.GetItem(ctx, in)
	if err != nil {
		return nil, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Items: min(1, len(out.Item))}, out.ConsumedCapacity)
	if err := checkItem(op, out.Item, key, false); err != nil {
		return nil, err
	}
	return out.Item, nil
}

// projection returns the projection of a read of a confined table, by the key of the item or by
// the lowest key of a query. It is nil for any other table and for items that are read completely.
func (t *Table) projection(pk, sk string) (*string, map[string]string) {
	if !t.confined {
		return nil, nil
	}
	attributes := table.ConfinedAttributes(pk, sk)
	if attributes == nil {
		return nil, nil
	}
	projection, names := table.Projection(attributes)
	return &projection, names
}

// ReadStrong reads one item strongly and parses it. If there is none, found is false and value is
// the zero T.
func ReadStrong[T any](
	ctx context.Context, t *Table, op string, key table.Item, parse func(table.Item) (T, error),
) (value T, found bool, err error) {
	item, err := t.GetItem(ctx, op, key, Strong)
	return ParseItem(op, item, err, parse)
}

// ReadEventual is ReadStrong with an eventual read.
func ReadEventual[T any](
	ctx context.Context, t *Table, op string, key table.Item, parse func(table.Item) (T, error),
) (value T, found bool, err error) {
	item, err := t.GetItem(ctx, op, key, Eventual)
	return ParseItem(op, item, err, parse)
}

// ParseItem parses an item that a call returned with err. found is false if it is nil.
func ParseItem[T any](
	op string, item table.Item, err error, parse func(table.Item) (T, error),
) (value T, found bool, _ error) {
	if err != nil || item == nil {
		return value, false, err
	}
	value, err = parse(item)
	return value, err == nil, translate(op, err)
}

// ParseItems parses all items. The first item that cannot be parsed fails the operation.
func ParseItems[T any](op string, items []table.Item, parse func(table.Item) (T, error)) ([]T, error) {
	values := make([]T, 0, len(items))
	for _, item := range items {
		value, err := parse(item)
		if err != nil {
			return nil, translate(op, err)
		}
		values = append(values, value)
	}
	return values, nil
}

// QueryAll returns the items of all pages of a query. The first item that cannot be parsed fails
// it.
func QueryAll[T any](ctx context.Context, t *Table, q Query, parse func(table.Item) (T, error)) (all []T, err error) {
	err = t.EachPage(ctx, q, func(items []table.Item) error {
		page, err := ParseItems(q.Operation, items, parse)
		all = append(all, page...)
		return err
	})
	return all, err
}
