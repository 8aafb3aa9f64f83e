package dynamo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"parley/internal/chat"
)

// retryAfter is what a client is asked to wait when our own attempts are
// used up: longer than all of our backoff together.
const retryAfter = time.Second

// conflictCodes say that another write to the same item is under way.
var conflictCodes = map[string]struct{}{
	"TransactionConflictException": {},
}

// passingReasons are the reasons of a cancelled transaction that pass by themselves.
var passingReasons = map[string]bool{
	"TransactionConflict":           true,
	"ThrottlingError":               true,
	"ProvisionedThroughputExceeded": true,
}

// translate puts an SDK error into the domain's words: Unavailable for what passes by
// itself, everything else as it is. op says what was being done.
func translate(op string, err error) error {
	if err == nil {
		return nil
	}
	if passing(err) {
		return &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Cause: fmt.Errorf("%s: %w", op, err)}
	}
	return fmt.Errorf("%s: %w", op, err)
}

func passing(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return true
	}
	return retryables().IsErrorRetryable(err) == aws.TrueTernary
}

// retryables are the checks by which the client tries again and passing judges, so that
// nothing is called passing that was not tried again.
func retryables() retry.IsErrorRetryables {
	checks := retry.IsErrorRetryables{retry.IsErrorRetryableFunc(retryCancelled), retry.IsErrorRetryableFunc(retryConnection)}
	checks = append(checks, retry.DefaultRetryables...)
	return append(checks, retry.RetryableErrorCode{Codes: conflictCodes})
}

// retryCancelled judges a cancelled transaction by its reasons, which the SDK
// does not look at.
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

// retryConnection retries where there was no connection, or it ended within an answer. The SDK's own
// checks know neither a name that is not found, which is a resolver's failure as much as a slip in
// the name, nor an answer that is cut short.
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

// refused tells whether err is a condition that did not hold, and gives the
// item that was there, if the call asked for it.
func refused(err error) (old map[string]types.AttributeValue, ok bool) {
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return failed.Item, true
	}
	return nil, false
}
