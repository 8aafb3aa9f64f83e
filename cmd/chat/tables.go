package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/table"
)

const (
	// localLogTable is the activity log's table on the local engine.
	localLogTable = "parley-log"
	// localLiveTable is the connections table on the local engine.
	localLiveTable = "parley-live"
	// incomplete is part of the engine's answer about a table that it lists but has not created.
	incomplete = "no such table"
)

// createLocalTables creates what a server needs, and returns the stream of the local table.
func createLocalTables(ctx context.Context, db *dynamodb.Client) (streamARN string, err error) {
	if streamARN, err = createLocalTable(ctx, db); err != nil {
		return "", err
	}
	create := func() error { return dynamo.CreateLogTable(ctx, db, localLogTable) }
	if err := createWhole(ctx, db, create, &dynamodb.ScanInput{TableName: aws.String(localLogTable)}); err != nil {
		return "", err
	}
	// The previous server has ended, and its connections with it.
	if err := engine.DeleteTable(ctx, db, localLiveTable); err != nil {
		return "", err
	}
	return streamARN, dynamo.CreateLiveTable(ctx, db, localLiveTable)
}

// createLocalTable creates the local table and its stream if they do not exist. The stream also
// records writes while no server runs, and the next server adds them to the feeds.
func createLocalTable(ctx context.Context, db *dynamodb.Client) (streamARN string, err error) {
	name := localTable
	create := func() error { return dynamo.CreateTable(ctx, db, name) }
	if err := createWhole(
		ctx, db, create, &dynamodb.ScanInput{TableName: &name},
		&dynamodb.ScanInput{TableName: &name, IndexName: aws.String(table.Index)},
	); err != nil {
		return "", err
	}
	if streamARN, err = dynamo.EnableStream(ctx, db, name); err == nil && streamARN == "" {
		err = errors.New("the table has no stream although it was enabled")
	}
	if err != nil {
		return "", fmt.Errorf("the engine does not support streams, which the feeds need: %w", err)
	}
	return streamARN, nil
}

// createWhole creates a table. A start that was killed, or that found no space, may have left a
// table that exists by name only. The reads of the table and its index show that; it is empty then,
// and createWhole creates it again.
func createWhole(ctx context.Context, db *dynamodb.Client, create func() error, reads ...*dynamodb.ScanInput) error {
	if err := create(); err != nil {
		return err
	}
	for _, read := range reads {
		read.Limit = aws.Int32(1)
		out, err := db.Scan(ctx, read)
		switch {
		case err == nil && out.Count > 0:
			return nil
		case err == nil:
			continue
		case !strings.Contains(err.Error(), incomplete):
			return fmt.Errorf("read table %s: %w", *read.TableName, err)
		}
		if err := engine.DeleteTable(ctx, db, *read.TableName); err != nil {
			return err
		}
		return create()
	}
	return nil
}
