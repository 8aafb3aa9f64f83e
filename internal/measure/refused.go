package measure

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/table"
)

// writeUnit is the number of bytes that a write unit pays for.
const writeUnit = 1024

// refused counts puts whose condition was false. DynamoDB bills each by the size of its item, or
// of the existing item if that is larger. The error response has no units, so they are computed
// from the size. In a load with items of one size, both are the same.
type refused struct {
	mu    sync.Mutex
	puts  int
	units float64
}

// option adds the counter to a client.
func (r *refused) option(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("CountRefused", r.handle), middleware.After)
	})
}

func (r *refused) handle(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	out, metadata, err := next.HandleInitialize(ctx, in)
	put, isPut := in.Parameters.(*dynamodb.PutItemInput)
	if _, isRefused := errors.AsType[*types.ConditionalCheckFailedException](err); isPut && isRefused {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.puts++
		r.units += math.Ceil(float64(table.Size(put.Item)) / writeUnit)
	}
	return out, metadata, err
}
