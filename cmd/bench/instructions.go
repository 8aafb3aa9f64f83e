package main

import (
	"context"
	"errors"
	"os"
	"strconv"

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

// instructed runs a load in a process that measure.Instructions started.
func instructed(ctx context.Context, args []string) error {
	const want = 4
	if len(args) != want {
		return errors.New("instructed is for the measurement itself")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	return measure.Instructed(ctx, args[0], n, args[2], args[3])
}
