package faults

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

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
