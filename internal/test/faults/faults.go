// Package faults makes calls to DynamoDB fail on purpose, as the service fails them, for tests:
// throttling, errors of the server, requests and answers that are lost on the way, conflicts of
// transactions, slowness, keys of a batch that stay unprocessed, connections that fail. It stands
// where the SDK sends its requests, below the SDK's own retries, so that all that is above runs as
// it does in production.
package faults

import (
	"context"
	"strings"
	"time"
)

// Fault is one way to fail.
type Fault int

const (
	// Throttled is a partition at its limit.
	Throttled Fault = iota + 1
	// Throttling is the control plane's, or the account's, limit.
	Throttling
	// ServerError is a 500 that says nothing of whether the call took effect; it did not.
	ServerError
	// LostRequest is a time that runs out before the request arrives.
	LostRequest
	// LostAnswer is a time that runs out after the request took effect.
	LostAnswer
	// Conflict is another write to the same item under way.
	Conflict
	// InProgress is the transaction itself still under way, begun by an attempt before.
	InProgress
	// Unprocessed leaves the last key of a batch unread.
	Unprocessed
	// Unreachable is a connection that cannot be made: the name is not found.
	Unreachable
	// CutShort is a connection that ends within the answer, after the request took effect.
	CutShort
	// Slow is an answer that comes late, and in time.
	Slow
)

// slowness is long for an engine on the same machine, so that whatever runs beside a slow call ends
// before it, and short enough for many calls.
const slowness = 5 * time.Millisecond

// All returns the faults, in a fixed order.
func All() []Fault {
	return []Fault{Throttled, Throttling, ServerError, LostRequest, LostAnswer, Conflict, InProgress, Unprocessed, Unreachable, CutShort, Slow}
}

// String returns the fault's name in a test's output.
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

// Fits reports whether the service fails an operation, such as "GetItem", in this way.
func (f Fault) Fits(operation string) bool {
	switch f {
	case Conflict:
		return operation == "TransactWriteItems" || operation == "PutItem" || operation == "UpdateItem" || operation == "DeleteItem"
	case InProgress:
		return operation == "TransactWriteItems"
	case Unprocessed:
		return strings.HasPrefix(operation, "BatchGet")
	}
	return true
}

// Commits reports whether a call takes effect although all its attempts fail in this way.
func (f Fault) Commits() bool { return f == LostAnswer || f == CutShort }

// code returns the error's name on the wire.
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

// late is the error of an attempt whose time has run out, as an HTTP client gives it.
type late struct{}

func (late) Error() string {
	return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
}
func (late) Timeout() bool   { return true }
func (late) Temporary() bool { return true }
func (late) Is(err error) bool {
	return err == context.DeadlineExceeded
}
