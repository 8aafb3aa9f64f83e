package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// attempts counts how often one call is sent. A conditional write whose first answer was
// lost is refused by its own traces when it is sent again.
type attempts struct {
	aws.RetryerV2
	sent   int
	unsure bool // one of them may have taken effect, though it failed
}

// counted is an option of a call: it counts in a.
func (a *attempts) counted(o *dynamodb.Options) {
	a.RetryerV2, _ = o.Retryer.(aws.RetryerV2)
	if a.RetryerV2 != nil {
		o.Retryer = a
	}
}

// GetAttemptToken is asked for before each attempt.
func (a *attempts) GetAttemptToken(ctx context.Context) (func(error) error, error) {
	a.sent++
	release, err := a.RetryerV2.GetAttemptToken(ctx)
	if err != nil {
		return release, err
	}
	return func(err error) error {
		var cancelled *types.TransactionCanceledException
		if err != nil && !errors.As(err, &cancelled) {
			a.unsure = true
		}
		return release(err)
	}, nil
}

// again tells whether the call was sent more than once.
func (a *attempts) again() bool { return a.sent > 1 }
