package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/gate"
	"example.com/parley/internal/table"
)

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
