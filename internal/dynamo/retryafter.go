package dynamo

import (
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// retryAfterHeader states, in milliseconds, how long the service asks a client to wait before it
// retries. The SDK honors it only with its retries of 2026, for up to 5 s.
const retryAfterHeader = "X-Amz-Retry-After"

// patient waits for as long as the service asks, but neither less than the backoff nor more than a
// bound.
type patient struct {
	backoff retry.BackoffDelayer
	bound   time.Duration
}

// BackoffDelay implements retry.BackoffDelayer.
func (p patient) BackoffDelay(attempt int, err error) (time.Duration, error) {
	delay, delayErr := p.backoff.BackoffDelay(attempt, err)
	return max(delay, min(askedWait(err), p.bound)), delayErr
}

// askedWait returns the wait that the response of a failed attempt asks for, or 0.
func askedWait(err error) time.Duration {
	var response *smithyhttp.ResponseError
	if !errors.As(err, &response) || response.Response == nil || response.Response.Response == nil {
		return 0
	}
	ms, err := strconv.ParseUint(response.Response.Header.Get(retryAfterHeader), 10, 32)
	if err != nil {
		return 0
	}
	return time.Duration(ms) * time.Millisecond // at most 50 days
}
