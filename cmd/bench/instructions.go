package main

import (
	"context"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/local/engine"
	"parley/internal/measure"
)

// instructions counts instructions on a new engine, in memory.
func instructions(ctx context.Context) (figures []measure.Figure, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	err = withTable(ctx, engine.Config{}, func(db *dynamodb.Client) (err error) {
		figures, err = measure.Instructions(ctx, self, aws.ToString(db.Options().BaseEndpoint), benchTable)
		return err
	})
	return figures, err
}
