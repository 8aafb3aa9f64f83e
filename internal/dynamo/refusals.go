package dynamo

import (
	"context"
	"errors"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// refusalCodes are DynamoDB's error codes for calls that it throttles before they take effect.
var refusalCodes = map[string]bool{
	"ProvisionedThroughputExceededException": true,
	"RequestLimitExceeded":                   true,
	"ThrottlingException":                    true,
}

// refusalRetryer retries a call only after attempts that certainly had no effect.
type refusalRetryer struct{ aws.RetryerV2 }

// onlyRefused is an option for calls for which a late attempt would do harm.
func onlyRefused(o *dynamodb.Options) {
	r, ok := o.Retryer.(aws.RetryerV2)
	if !ok {
		o.Retryer = aws.NopRetryer{}
		return
	}
	o.Retryer = refusalRetryer{r}
}

// IsErrorRetryable reports whether err is a refusal. It implements aws.Retryer.
func (r refusalRetryer) IsErrorRetryable(err error) bool { return refused(err) }

// refused reports whether the service has throttled a call. Timeouts, lost connections and
// failures of the service are not refusals: the call may still take effect.
func refused(err error) bool {
	var answer *smithyhttp.ResponseError
	var failure smithy.APIError
	return errors.As(err, &answer) && answer.HTTPStatusCode() == http.StatusBadRequest &&
		errors.As(err, &failure) && refusalCodes[failure.ErrorCode()]
}

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
