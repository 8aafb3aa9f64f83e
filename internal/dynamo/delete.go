package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/gate"
	"example.com/parley/internal/table"
)

// DeleteItem deletes one item and reports whether it existed: 1 write unit for each KB, and 1 if
// it did not exist.
func (t *Table) DeleteItem(ctx context.Context, op string, key table.Item) (existed bool, err error) {
	before, _, err := t.DeleteItemIf(ctx, op, key, table.Update{})
	return before != nil, err
}

// DeleteItemIf deletes one item if a condition holds, and returns it, or nil if it did not exist.
// It consumes as much as DeleteItem. failed reports that the condition did not hold.
func (t *Table) DeleteItemIf(
	ctx context.Context, op string, key table.Item, where table.Update,
) (before table.Item, failed bool, err error) {
	if err := gate.Wait(ctx); err != nil {
		return nil, false, err
	}
	out, err := t.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &t.name, Key: key, ReturnValues: types.ReturnValueAllOld,
		ConditionExpression: expression(where.Condition), ExpressionAttributeNames: where.Names,
		ExpressionAttributeValues: where.Values,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	})
	if _, failed = conditionFailed(err); failed {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	if len(out.Attributes) == 0 {
		return nil, false, nil
	}
	return out.Attributes, false, checkItem(op, out.Attributes, key, false)
}
