package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/gate"
	"example.com/parley/internal/table"
)

// UpdateItem changes an item if the update's condition holds: 1 write unit for each KB. Otherwise
// it changes nothing and returns the existing item.
func (t *Table) UpdateItem(
	ctx context.Context, op string, key table.Item, u table.Update,
) (existing table.Item, failed bool, err error) {
	return t.update(ctx, op, key, u, types.ReturnValueNone)
}

// ReplaceItem is UpdateItem, but it also returns the item before the change; nil if there was
// none.
func (t *Table) ReplaceItem(
	ctx context.Context, op string, key table.Item, u table.Update,
) (before table.Item, failed bool, err error) {
	return t.update(ctx, op, key, u, types.ReturnValueAllOld)
}

func (t *Table) update(
	ctx context.Context, op string, key table.Item, u table.Update, values types.ReturnValue,
) (before table.Item, failed bool, err error) {
	if err := gate.Wait(ctx); err != nil {
		return nil, false, err
	}
	out, err := t.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.name, Key: key,
		UpdateExpression:                    expression(u.Expression),
		ConditionExpression:                 expression(u.Condition),
		ExpressionAttributeNames:            u.Names,
		ExpressionAttributeValues:           u.Values,
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
		ReturnValues:                        values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if before, failed = conditionFailed(err); failed {
		return before, true, checkItem(op, before, key, false)
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

// UpdateBlindly is UpdateItem, but it returns no attributes, because the feed function's role does
// not allow that. A condition that does not hold is not an error.
func (t *Table) UpdateBlindly(ctx context.Context, op string, key table.Item, u table.Update) error {
	_, err := t.TryUpdate(ctx, op, key, u)
	return err
}

// TryUpdate is UpdateBlindly, but it also reports whether the condition holds.
func (t *Table) TryUpdate(
	ctx context.Context, op string, key table.Item, u table.Update, options ...func(*dynamodb.Options),
) (ok bool, err error) {
	if err := gate.Wait(ctx); err != nil {
		return false, err
	}
	out, err := t.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &t.name, Key: key,
		UpdateExpression: expression(u.Expression), ConditionExpression: expression(u.Condition),
		ExpressionAttributeNames: u.Names, ExpressionAttributeValues: u.Values,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, options...)
	if _, failed := conditionFailed(err); failed {
		return false, nil
	}
	if err != nil {
		return false, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	return true, nil
}
