// Package faults injects faults into calls to DynamoDB and to a bucket, for tests. The faults are
// the real services': throttling, server errors, lost requests and responses, transaction
// conflicts, slow responses, unprocessed keys and failed connections.
//
// It replaces the HTTP client, below the retries, so that all code above runs as it does in
// production.
package faults

import (
	"context"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// Fault is a way in which a call fails.
type Fault int

const (
	// Throttled means that a partition has reached its limit.
	Throttled Fault = iota + 1
	// Throttling means that the control plane or the account has reached its limit.
	Throttling
	// ServerError is a response with status 500. The call has no effect, which the client cannot
	// know.
	ServerError
	// LostRequest is a timeout of a request that did not arrive.
	LostRequest
	// LostAnswer is a timeout of a request that took effect.
	LostAnswer
	// Conflict means that another write of the same item is in progress.
	Conflict
	// InProgress means that an earlier attempt of the same transaction is in progress.
	InProgress
	// Unprocessed is a response to a batch that leaves the last key of each table unprocessed.
	Unprocessed
	// Unreachable is a failed connection: the host name is not found.
	Unreachable
	// CutShort is a connection that ends within the response, after the request took effect.
	CutShort
	// Slow is a delayed response that still meets the deadline.
	Slow
)

// slowDelay is the delay of a slow call. A local engine completes concurrent calls in less time. It
// is short enough for a test with many slow calls.
const slowDelay = 5 * time.Millisecond

// All returns the faults, in a fixed order.
func All() []Fault {
	return []Fault{Throttled, Throttling, ServerError, LostRequest, LostAnswer, Conflict, InProgress, Unprocessed, Unreachable, CutShort, Slow}
}

// String returns the name of the fault for test output.
func (f Fault) String() string {
	switch f {
	case Throttled:
		return "throttled"
	case Throttling:
		return "throttling"
	case ServerError:
		return "server error"
	case LostRequest:
		return "lost request"
	case LostAnswer:
		return "lost answer"
	case Conflict:
		return "conflict"
	case InProgress:
		return "in progress"
	case Unprocessed:
		return "unprocessed"
	case Unreachable:
		return "unreachable"
	case CutShort:
		return "cut short"
	case Slow:
		return "slow"
	}
	return "no fault"
}

// Fits reports whether an operation, such as "GetItem", can fail with this fault.
func (f Fault) Fits(operation string) bool {
	switch f {
	case Throttling, CutShort:
		return !strings.HasSuffix(operation, objectOperation)
	case Conflict:
		return operation == "TransactWriteItems" || operation == "PutItem" || operation == "UpdateItem" || operation == "DeleteItem"
	case InProgress:
		return operation == "TransactWriteItems"
	case Unprocessed:
		return strings.HasPrefix(operation, "BatchGet")
	}
	return true
}

// Commits reports whether a call takes effect although all of its attempts fail with this fault.
func (f Fault) Commits() bool { return f == LostAnswer || f == CutShort }

// code returns the type of the error in the response.
func (f Fault) code(operation string) string {
	switch f {
	case Throttled:
		return "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"
	case Throttling:
		return "com.amazon.coral.availability#ThrottlingException"
	case ServerError:
		return "com.amazonaws.dynamodb.v20120810#InternalServerError"
	case InProgress:
		return "com.amazonaws.dynamodb.v20120810#TransactionInProgressException"
	case Conflict:
		if operation == "TransactWriteItems" {
			return "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
		}
		return "com.amazonaws.dynamodb.v20120810#TransactionConflictException"
	}
	return ""
}

// timeoutError is the error that an HTTP client returns for a timeout.
type timeoutError struct{}

func (timeoutError) Error() string {
	return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
}
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }
func (timeoutError) Is(err error) bool {
	return err == context.DeadlineExceeded
}

// Altered is an option of a client for calls with a seeded fault. alter may change the input of a
// call, or return the output or the error of a call that is not made, or a func(output any) that
// changes the output of one that is made.
func Altered(alter func(input any) (answer any)) func(*dynamodb.Options) {
	altered := middleware.InitializeMiddlewareFunc("altered", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (out middleware.InitializeOutput, m middleware.Metadata, err error) {
		switch answer := alter(in.Parameters).(type) {
		case nil:
			return next.HandleInitialize(ctx, in)
		case func(output any):
			out, m, err = next.HandleInitialize(ctx, in)
			if err == nil {
				answer(out.Result)
			}
			return out, m, err
		case error:
			return out, m, answer
		default:
			return middleware.InitializeOutput{Result: answer}, m, nil
		}
	})
	return dynamodb.WithAPIOptions(func(s *middleware.Stack) error { return s.Initialize.Add(altered, middleware.Before) })
}

// Conflicting is an option of a client that cancels each transaction as if another one were in
// progress. It first calls before, which does the work of the other one.
func Conflicting(before func()) func(*dynamodb.Options) {
	return Altered(func(input any) any {
		if _, ok := input.(*dynamodb.TransactWriteItemsInput); !ok {
			return nil
		}
		before()
		return &types.TransactionCanceledException{
			CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: aws.String("TransactionConflict")}},
		}
	})
}
