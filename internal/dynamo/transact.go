package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
)

func (s *Store) update(key table.Item, u table.Update) *types.Update {
	return &types.Update{
		TableName: &s.table, Key: key,
		UpdateExpression:          aws.String(u.Expression),
		ConditionExpression:       aws.String(u.Condition),
		ExpressionAttributeNames:  u.Names,
		ExpressionAttributeValues: u.Values,
	}
}

// transact writes all items or none. The SDK gives every call a token, so that
// its own retry after a lost answer is not refused.
func (s *Store) transact(ctx context.Context, op string, items []types.TransactWriteItem, options ...func(*dynamodb.Options)) error {
	out, err := s.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems:          items,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}, options...)
	if err != nil {
		return err
	}
	for i := range out.ConsumedCapacity {
		s.used(ctx, Usage{Operation: op, Write: true}, &out.ConsumedCapacity[i])
	}
	return nil
}

// anyRefused tells whether a transaction was cancelled since some condition did not
// hold, and for no other reason.
func anyRefused(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || passing(err) {
		return false
	}
	for _, r := range cancelled.CancellationReasons {
		if aws.ToString(r.Code) == "ConditionalCheckFailed" {
			return true
		}
	}
	return false
}

// overtaken tells whether what stands is definitely another's: a transaction was refused, or it gave way to others in every
// attempt. beyond says that what stands has gone on beyond what was to be written: then it may have been written, and
// changed since, unless no attempt can have taken effect.
func overtaken(err error, tries attempts, beyond bool) bool {
	return anyRefused(err) || passing(err) && (!tries.unsure || !beyond)
}

// firstRefused tells whether a transaction was cancelled since the
// condition of its first item did not hold.
func firstRefused(err error) bool {
	var cancelled *types.TransactionCanceledException
	return errors.As(err, &cancelled) && len(cancelled.CancellationReasons) > 0 &&
		aws.ToString(cancelled.CancellationReasons[0].Code) == "ConditionalCheckFailed"
}
