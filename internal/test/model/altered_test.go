package model

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/dynamo"
)

// alteredCalls is a store with a fault in the calls that capabilities make themselves.
type alteredCalls struct {
	store
	alter func(input any) (output any)
	table *dynamo.Table
}

// withCalls returns a store whose capabilities make altered calls. alter may change the input of a
// call, or return the output of a call that is not made.
func withCalls(s store, alter func(input any) (output any)) store {
	return &alteredCalls{store: s, alter: alter}
}

// Table implements app.Store.
func (b *alteredCalls) Table() *dynamo.Table { return b.table }

// options are the options of the client of the table.
func (b *alteredCalls) options(o *dynamodb.Options) {
	altered := middleware.InitializeMiddlewareFunc("altered", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
		if output := b.alter(in.Parameters); output != nil {
			return middleware.InitializeOutput{Result: output}, middleware.Metadata{}, nil
		}
		return next.HandleInitialize(ctx, in)
	})
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error { return s.Initialize.Add(altered, middleware.Before) })
}
