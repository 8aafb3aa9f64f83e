package dynamo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

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
