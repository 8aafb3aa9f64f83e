package stream

import (
	"context"
	"slices"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// Bell wakes a poller: it rings after each write of the clients that have its Options.
type Bell chan struct{}

// NewBell returns a bell that has not rung.
func NewBell() Bell { return make(Bell, 1) }

// writes are the operations that write items.
var writes = []string{"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}

// Options makes a client ring after each write that succeeded, to any table.
func (b Bell) Options(o *dynamodb.Options) {
	o.APIOptions = append(slices.Clip(o.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("RingAfterWrites", b.after), middleware.Before)
	})
}

func (b Bell) after(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	out middleware.InitializeOutput, metadata middleware.Metadata, err error,
) {
	out, metadata, err = next.HandleInitialize(ctx, in)
	if err == nil && slices.Contains(writes, awsmiddleware.GetOperationName(ctx)) {
		select {
		case b <- struct{}{}:
		default: // it has rung already
		}
	}
	return out, metadata, err
}
