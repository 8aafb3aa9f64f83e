package dynamo

import (
	"errors"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
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
