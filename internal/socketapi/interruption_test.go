package socketapi_test

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// interruption does something before one of the calls of a request to the store. The calls of the
// request are made one after another.
type interruption struct {
	at int // the number of the call, from 1
	do func()

	mu    sync.Mutex
	calls int
}

type interruptionKey struct{}

// in returns a context for the request.
func (i *interruption) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, interruptionKey{}, i)
}

// interruptible lets the interruption of a context interrupt the calls of a client.
func interruptible(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("interruption", interrupt), middleware.Before)
	})
}

func interrupt(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if i, ok := ctx.Value(interruptionKey{}).(*interruption); ok {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.calls++; i.calls == i.at {
			i.do()
		}
	}
	return next.HandleInitialize(ctx, in)
}
