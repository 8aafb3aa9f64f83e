package dynamo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// RetryAfter is the wait asked of a client once the store's own attempts are used up. It is longer
// than their total backoff.
const RetryAfter = time.Second

// conflictCodes are the error codes for a concurrent write to the same item.
var conflictCodes = map[string]struct{}{
	"TransactionConflictException": {},
}

// passingReasons are the reasons of a cancelled transaction that a retry may overcome.
var passingReasons = map[string]bool{
	"TransactionConflict":           true,
	"ThrottlingError":               true,
	"ProvisionedThroughputExceeded": true,
}

// translate turns an SDK error into the domain's: Unavailable if a retry may succeed, and otherwise
// err itself, with the operation before it.
func translate(op string, err error) error {
	if err == nil {
		return nil
	}
	if passing(err) {
		return &chat.Error{Kind: chat.Unavailable, RetryAfter: RetryAfter, Cause: fmt.Errorf("%s: %w", op, err)}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// passing reports whether a retry may succeed after err.
func passing(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true
	}
	return retryables().IsErrorRetryable(err) == aws.TrueTernary
}

// retryables returns the checks that decide whether an error is retried. The client and passing
// share them, so every passing error has already been retried.
func retryables() retry.IsErrorRetryables {
	checks := retry.IsErrorRetryables{
		retry.IsErrorRetryableFunc(retryCancelled), retry.IsErrorRetryableFunc(retryConnection),
	}
	checks = append(checks, retry.DefaultRetryables...)
	return append(checks, retry.RetryableErrorCode{Codes: conflictCodes})
}

// retryCancelled judges a cancelled transaction by its reasons, which the SDK ignores.
func retryCancelled(err error) aws.Ternary {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return aws.UnknownTernary
	}
	for _, r := range cancelled.CancellationReasons {
		if passingReasons[aws.ToString(r.Code)] {
			return aws.TrueTernary
		}
	}
	return aws.FalseTernary
}

// retryConnection retries when there was no connection, or when it ended within a response. The
// SDK's own checks miss two cases. One is a host name that is not found, which may be the
// resolver's failure or a misspelled name. The other is a truncated response.
func retryConnection(err error) aws.Ternary {
	var unsent *smithyhttp.RequestSendError
	var unread *smithy.DeserializationError
	switch {
	case errors.As(err, &unsent):
		return aws.TrueTernary
	case errors.As(err, &unread) && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)):
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// conditionFailed reports whether err means that a condition did not hold. It also returns the
// existing item if the call asked for it.
func conditionFailed(err error) (existing table.Item, ok bool) {
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return failed.Item, true
	}
	return nil, false
}

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
