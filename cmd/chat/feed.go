package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/dynamo"
	"parley/internal/feedfn"
	"parley/internal/feedwriter"
	"parley/internal/local/stream"
	"parley/internal/table"
)

// The feed's files in the data folder.
const (
	positionFile = "feed-position.json" // how far the stream has been delivered
	failuresFile = "failures.jsonl"     // what could not be entered into a feed
)

// createLocalTable makes the local table with its stream, where they are missing: what is written
// while nobody serves is in the feeds when somebody does.
func createLocalTable(ctx context.Context, db *dynamodb.Client) (streamARN string, err error) {
	if err := dynamo.CreateTable(ctx, db, localTable); err != nil {
		return "", err
	}
	if streamARN, err = dynamo.EnableStream(ctx, db, localTable); err == nil && streamARN == "" {
		err = errors.New("the table has no stream after it was switched on")
	}
	if err != nil {
		return "", fmt.Errorf("the engine does not keep streams, which the feeds need: %w", err)
	}
	return streamARN, nil
}

// startFeed hands the table's stream to the feed function's handler, beside the API, until stop is
// called: that delivers what is there, for a moment, and waits.
func (c *serveCmd) startFeed(ctx context.Context, log *slog.Logger, l localEngine) (stop func(), err error) {
	log = log.With("function", "feed")
	parts := feedfn.Parts{
		DB: dynamo.LocalClient(l.Endpoint()), Table: localTable, Log: log,
		Failures: &failures{path: filepath.Join(c.Data, failuresFile)},
	}
	client, closeClient := stream.NewClient(l.Endpoint())
	poller, err := stream.Open(ctx, stream.Config{
		Streams: client, ARN: l.stream, Function: lambda.NewHandler(parts.Handler().Handle),
		Filter: stream.Filter{
			Attribute: table.AttrType, Present: table.FeedTypes(), Removed: table.FeedRemovedTypes(), Marked: table.AttrFeed,
		},
		File: filepath.Join(c.Data, positionFile), Log: log,
	})
	if err != nil {
		closeClient()
		return nil, fmt.Errorf("the engine does not give its streams, which the feeds need: %w", err)
	}
	// Not ended with ctx: requests that are under way by then are to be in the feeds too.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		poller.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
		closeClient()
	}, nil
}

// failures is feedwriter.Failures on a laptop: lines of JSON in a file.
type failures struct {
	mu   sync.Mutex
	path string
}

// Keep appends a line.
func (f *failures) Keep(_ context.Context, failure feedwriter.Failure) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	line, err := json.Marshal(failure)
	if err != nil {
		return fmt.Errorf("keep failure: %w", err)
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keep failure: %w", err)
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Sync(), file.Close())
}
