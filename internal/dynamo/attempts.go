package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// attempts counts the attempts of one call. When the response to a conditional write is lost, the
// retry fails its condition on the item that the first attempt wrote.
type attempts struct {
	aws.RetryerV2
	sent   int
	unsure bool // a failed attempt may have taken effect
}

// counted is an option that counts the attempts of a call in a.
func (a *attempts) counted(o *dynamodb.Options) {
	a.RetryerV2, _ = o.Retryer.(aws.RetryerV2)
	if a.RetryerV2 != nil {
		o.Retryer = a
	}
}

// GetAttemptToken implements aws.RetryerV2. The SDK calls it before each attempt.
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

// retried reports whether the call was sent more than once.
func (a *attempts) retried() bool { return a.sent > 1 }
