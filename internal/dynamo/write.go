package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
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

// PutItem writes an item if a condition holds: 1 write unit for each KB. Otherwise it changes
// nothing and reports false.
func (t *Table) PutItem(ctx context.Context, op string, item table.Item, where table.Update) (bool, error) {
	_, failed, err := t.put(ctx, op, putInput(item, where))
	return err == nil && !failed, err
}

// PutOnce writes an item: 1 write unit for each KB. It is retried only after a refusal, so that no
// attempt arrives after the call has returned.
func (t *Table) PutOnce(ctx context.Context, op string, item table.Item) error {
	_, _, err := t.put(ctx, op, putInput(item, table.Update{}), onlyRefused)
	return err
}

// Insertion is the outcome of InsertItem.
type Insertion struct {
	Failed   bool       // an item already has the key, and nothing has changed
	Existing table.Item // the item that has the key, if Failed
	// Retried reports that the call was sent more than once. Existing may then come from an
	// attempt whose response was lost.
	Retried bool
}

// InsertItem writes an item if none has its key: 1 write unit for each KB.
func (t *Table) InsertItem(ctx context.Context, op string, item table.Item) (Insertion, error) {
	in := putInput(item, table.Absent(item))
	in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	var tries attempts
	existing, failed, err := t.put(ctx, op, in, tries.counted)
	return Insertion{Failed: failed, Existing: existing, Retried: tries.retried()}, err
}

func putInput(item table.Item, where table.Update) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{
		Item: item, ConditionExpression: expression(where.Condition),
		ExpressionAttributeNames: where.Names, ExpressionAttributeValues: where.Values,
	}
}

func (t *Table) put(
	ctx context.Context, op string, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options),
) (existing table.Item, failed bool, err error) {
	if err := gate.Wait(ctx); err != nil {
		return nil, false, err
	}
	in.TableName, in.ReturnConsumedCapacity = &t.name, types.ReturnConsumedCapacityTotal
	out, err := t.db.PutItem(ctx, in, options...)
	if existing, failed = conditionFailed(err); failed {
		return existing, true, checkItem(op, existing, t.keyOf(in.Item), false)
	}
	if err != nil {
		return nil, false, translate(op, err)
	}
	t.used(ctx, Usage{Operation: op, Write: true}, out.ConsumedCapacity)
	return nil, false, nil
}

// expression returns an expression for the SDK, which is nil for "".
func expression(text string) *string {
	if text == "" {
		return nil
	}
	return aws.String(text)
}

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
