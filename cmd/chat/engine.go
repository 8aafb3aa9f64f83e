package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/table"
)

// engineCmd installs the local engine.
type engineCmd struct {
	Dir      string `type:"path" help:"Install it into this folder, whether or not there is another one."`
	Platform string `help:"With --dir: the platform, such as darwin-arm64 or linux-x64, instead of this machine's."`
}

// Run prints the path of the program. It prints an empty line if $DYNAMODB_ENDPOINT names a running
// engine.
func (c engineCmd) Run(ctx context.Context, s streams) (err error) {
	var program string
	if c.Dir == "" {
		program, err = engine.Ensure(ctx, os.Getenv, s.Err)
	} else {
		program, err = engine.Package{Platform: c.Platform, Env: os.Getenv}.Install(ctx, c.Dir)
	}
	if err == nil {
		_, err = fmt.Fprintln(s.Out, program)
	}
	return err
}

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

// diskFailures are parts of the engine's messages about writes that the disk refuses.
var diskFailures = []string{"disk is full", "disk I/O error"}

// diskWatch logs, once for a server, that the disk refuses writes. Requests that fail then also log
// their own failures.
type diskWatch struct {
	once   sync.Once
	log    *slog.Logger
	folder string
}

// options makes a client of the engine report to the watch.
func (d *diskWatch) options(o *dynamodb.Options) { o.HTTPClient = &watchedClient{d, o.HTTPClient} }

type watchedClient struct {
	watch *diskWatch
	next  dynamodb.HTTPClient
}

// Do sends one attempt of one call.
func (c *watchedClient) Do(r *http.Request) (*http.Response, error) {
	res, err := c.next.Do(r)
	if err != nil || res.StatusCode != http.StatusInternalServerError {
		return res, err
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	if slices.ContainsFunc(diskFailures, func(part string) bool { return strings.Contains(string(text), part) }) {
		c.watch.once.Do(func() {
			c.watch.log.ErrorContext(
				r.Context(), "the disk is full or broken: nothing is stored until it has space", "folder",
				c.watch.folder,
			)
		})
	}
	return res, nil
}
