package main

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/dynamo"
	"parley/internal/local/engine"
	"parley/internal/measure"
)

// collectorFigures measures processes of functions on a new engine, in memory.
func collectorFigures(ctx context.Context) (figures []measure.Figure, err error) {
	err = withTable(ctx, engine.Config{}, func(db *dynamodb.Client) (err error) {
		store := dynamo.New(db, dynamo.Options{Table: benchTable, Clock: time.Now})
		figures, err = measure.Collector(ctx, store, aws.ToString(db.Options().BaseEndpoint), benchTable)
		return err
	})
	return figures, err
}
