// The bench command measures Parley and prints the figures next to their goals. It is for
// developers of Parley: make bench and make sizes call it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/measure"
)

// stopTime bounds the engine's shutdown.
const stopTime = 10 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == inPosts {
		return runPosts(ctx, args)
	}
	if len(args) != 1 || args[0] == "-h" || args[0] == "--help" {
		return usage()
	}
	switch args[0] {
	case inAll:
		ctx, cancel := context.WithTimeoutCause(
			ctx, allTime, fmt.Errorf("the measurements took longer than %v", allTime),
		)
		defer cancel()
		return printGroup(ctx, inAll)
	case inLive:
		return printGroup(ctx, inLive)
	}
	for _, m := range measurements() {
		if m.name == args[0] {
			return m.print(ctx, measure.Full)
		}
	}
	return fmt.Errorf("unknown measurement %q: bench -h lists them", args[0])
}

// benchTable is the table's name on every engine that the command starts.
const benchTable = "bench"

// onEngine measures on a new in-memory engine.
func onEngine(
	ctx context.Context, scale measure.Scale, what func(*measure.Bench, context.Context) ([]measure.Figure, error),
) (figures []measure.Figure, err error) {
	err = withTable(ctx, func(db *dynamodb.Client) (err error) {
		figures, err = what(measure.New(db, benchTable, scale), ctx)
		return err
	})
	return figures, err
}

// withTable starts an engine in memory with a table, calls use, and stops the engine.
func withTable(ctx context.Context, use func(*dynamodb.Client) error) (err error) {
	e, err := engine.Start(ctx, engine.Config{})
	if err != nil {
		return err
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		err = errors.Join(err, e.Stop(stop))
	}()
	db := dynamo.LocalClient(e.Endpoint())
	if err := dynamo.CreateTable(ctx, db, benchTable); err != nil {
		return err
	}
	return use(db)
}

// inPosts is the first argument of a process that posts for a measurement.
const inPosts = "posts"

// runPosts runs the posts of a process that a measurement started.
func runPosts(ctx context.Context, args []string) error {
	const want = 5
	if len(args) != want {
		return fmt.Errorf("%s is for the measurement itself", args[0])
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return measure.PostMany(ctx, args[1], n, args[3], args[4])
}
