package dynamo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/gate"
	"example.com/parley/internal/table"
)

// Write is a part of a transaction.
type Write = types.TransactWriteItem

// Put returns a write that puts an item if a condition holds; the zero condition always holds.
func (t *Table) Put(item table.Item, where table.Update) Write {
	return Write{Put: &types.Put{
		TableName: &t.name, Item: item, ConditionExpression: expression(where.Condition),
		ExpressionAttributeNames: where.Names, ExpressionAttributeValues: where.Values,
	}}
}

// PutNew returns a write that puts an item if none has its key.
func (t *Table) PutNew(item table.Item) Write { return t.Put(item, table.Absent(item)) }

// PutAny returns a write that puts an item, without a condition.
func (t *Table) PutAny(item table.Item) Write { return t.Put(item, table.Update{}) }

// Update returns a write that changes an item.
func (t *Table) Update(key table.Item, u table.Update) Write {
	return Write{Update: &types.Update{
		TableName: &t.name, Key: key,
		UpdateExpression:          expression(u.Expression),
		ConditionExpression:       expression(u.Condition),
		ExpressionAttributeNames:  u.Names,
		ExpressionAttributeValues: u.Values,
	}}
}

// Delete returns a write that deletes an item if a condition holds; the zero condition always
// holds.
func (t *Table) Delete(key table.Item, where table.Update) Write {
	return Write{Delete: &types.Delete{
		TableName: &t.name, Key: key, ConditionExpression: expression(where.Condition),
		ExpressionAttributeNames: where.Names, ExpressionAttributeValues: where.Values,
	}}
}

// Check returns a part that writes nothing. The transaction fails unless its condition holds.
func (t *Table) Check(key table.Item, where table.Update) Write {
	return Write{ConditionCheck: &types.ConditionCheck{
		TableName: &t.name, Key: key, ConditionExpression: expression(where.Condition),
		ExpressionAttributeNames: where.Names, ExpressionAttributeValues: where.Values,
	}}
}

// Transact makes all writes or none, at twice the units of single writes. It returns the SDK's
// error unchanged, so that callers can inspect the cancellation reasons. The SDK gives every call
// a token, so its own retry after a lost response is not refused.
func (t *Table) Transact(ctx context.Context, op string, writes []Write, options ...func(*dynamodb.Options)) error {
	if err := gate.Wait(ctx); err != nil {
		return err
	}
	out, err := t.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems:          writes,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, options...)
	if err != nil {
		return err
	}
	for i := range out.ConsumedCapacity {
		t.used(ctx, Usage{Operation: op, Write: true}, &out.ConsumedCapacity[i])
	}
	return nil
}

// transactIf is Transact, but it reports false for an error that failed recognizes as a condition
// that did not hold.
func (t *Table) transactIf(ctx context.Context, op string, failed func(error) bool, writes ...Write) (bool, error) {
	err := t.Transact(ctx, op, writes)
	if failed(err) {
		return false, nil
	}
	return err == nil, translate(op, err)
}

// ConditionFailed is the cancellation reason code for a condition that did not hold.
const ConditionFailed = "ConditionalCheckFailed"

// anyConditionFailed reports whether a transaction was cancelled because some condition did not
// hold, and for no other reason.
func anyConditionFailed(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || passing(err) {
		return false
	}
	for _, r := range cancelled.CancellationReasons {
		if aws.ToString(r.Code) == ConditionFailed {
			return true
		}
	}
	return false
}

// firstConditionFailed reports whether a transaction was cancelled because the condition of its
// first write did not hold.
func firstConditionFailed(err error) bool {
	var cancelled *types.TransactionCanceledException
	return errors.As(err, &cancelled) && len(cancelled.CancellationReasons) > 0 &&
		aws.ToString(cancelled.CancellationReasons[0].Code) == ConditionFailed
}

// lostRace reports whether the stored item is certainly another writer's: the transaction's
// condition did not hold, or every attempt gave way to another transaction. If the stored item is
// ahead of the item to be written, the latter may have been stored and then changed. In that case
// lostRace is true only if no attempt can have taken effect.
func lostRace(err error, tries attempts, ahead bool) bool {
	return anyConditionFailed(err) || passing(err) && (!tries.unsure || !ahead)
}

// TransactIf is Transact with the domain's errors. If a condition did not hold, it makes no write
// and returns the position of the first write with such a condition, and otherwise -1.
func (t *Table) TransactIf(ctx context.Context, op string, writes ...Write) (failed int, err error) {
	err = t.Transact(ctx, op, writes)
	if !anyConditionFailed(err) {
		return -1, translate(op, err)
	}
	var cancelled *types.TransactionCanceledException
	errors.As(err, &cancelled)
	return slices.IndexFunc(cancelled.CancellationReasons, func(r types.CancellationReason) bool {
		return aws.ToString(r.Code) == ConditionFailed
	}), nil
}

// Cancelled is a transaction that made no write.
type Cancelled struct {
	err   error
	tries attempts
}

// TransactOrCancelled is Transact with the domain's errors, but it returns a transaction that was
// cancelled, for whatever reason, instead of an error.
func (t *Table) TransactOrCancelled(ctx context.Context, op string, writes ...Write) (*Cancelled, error) {
	c := &Cancelled{}
	c.err = t.Transact(ctx, op, writes, c.tries.counted)
	var cancelled *types.TransactionCanceledException
	if errors.As(c.err, &cancelled) {
		return c, nil
	}
	return nil, translate(op, c.err)
}

// First reports whether the condition of the first write did not hold.
func (c *Cancelled) First() bool { return firstConditionFailed(c.err) }

// Failed reports whether some condition did not hold, and no other reason cancelled it.
func (c *Cancelled) Failed() bool { return anyConditionFailed(c.err) }

// LostRace reports whether the stored item is certainly another writer's. Ahead says that it is
// ahead of the item to be written, which may then have been stored before.
func (c *Cancelled) LostRace(ahead bool) bool { return lostRace(c.err, c.tries, ahead) }

// Err returns the domain's error of the transaction.
func (c *Cancelled) Err(op string) error { return translate(op, c.err) }

// Line is an entry that a transaction adds to a log in another table.
type Line struct {
	Write Write
	// Later returns the entry at another time, after the condition of Write did not hold.
	Later func(context.Context) (Line, error)
}

// transactAudited makes all writes and adds a line to a log, or changes nothing. It reports false
// if the condition of a write does not hold. A nil line adds nothing. If the instant of the line
// is taken, the whole transaction is repeated with a free one: none of its writes took effect.
func (s *Store) transactAudited(ctx context.Context, op string, writes []Write, line any) (bool, error) {
	if line == nil {
		return s.table.transactIf(ctx, op, anyConditionFailed, writes...)
	}
	l, ok := line.(Line)
	if !ok {
		return false, fmt.Errorf("%s: a line of type %T belongs to another store", op, line)
	}
	for {
		err := s.table.Transact(ctx, op, append(slices.Clip(writes), l.Write))
		if !onlyLastConditionFailed(err) {
			if anyConditionFailed(err) {
				return false, nil
			}
			return err == nil, translate(op, err)
		}
		if l, err = l.Later(ctx); err != nil {
			return false, err
		}
	}
}

// onlyLastConditionFailed reports whether a transaction was cancelled because the condition of its
// last write did not hold, and for no other reason.
func onlyLastConditionFailed(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || !anyConditionFailed(err) {
		return false
	}
	others := cancelled.CancellationReasons[:len(cancelled.CancellationReasons)-1]
	return !slices.ContainsFunc(
		others, func(r types.CancellationReason) bool { return aws.ToString(r.Code) == ConditionFailed },
	)
}
