// The bench command measures Parley and prints the figures beside their goals. It is for developers
// of Parley: make bench and make sizes call it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/bill"
	"parley/internal/dynamo"
	"parley/internal/httpapi"
	"parley/internal/local/engine"
	"parley/internal/measure"
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
	if len(args) > 0 && args[0] == "posts" {
		return posts(ctx, args[1:])
	}
	if len(args) != 1 {
		return errors.New("name a measurement: depth, changes, operations, messages, lost, reads, feeds, growth, stream, local, latency, live, sizes, collector, bill, millions, plots or attack")
	}
	if args[0] == "bill" {
		_, err := fmt.Print(bill.Markdown())
		return err
	}
	if args[0] == "millions" {
		_, err := fmt.Print(bill.MillionsMarkdown())
		return err
	}
	if args[0] == "plots" {
		return plotFigures(ctx)
	}
	if args[0] == "depth" {
		return depths(ctx)
	}
	if args[0] == "growth" {
		return growths(ctx)
	}
	if args[0] == "attack" {
		_, err := fmt.Print(bill.AttackMarkdown())
		return err
	}
	figures, err := figuresOf(ctx, args[0])
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tmeasured\tgoal\tnaive")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Value, f.Goal, f.Naive)
	}
	return w.Flush()
}

// figuresOf runs a measurement by its name.
func figuresOf(ctx context.Context, name string) ([]measure.Figure, error) {
	switch name {
	case "lost":
		return onEngine(ctx, (*measure.Bench).Lost)
	case "reads":
		return onEngine(ctx, (*measure.Bench).Reads)
	case "changes":
		return onEngine(ctx, (*measure.Bench).CatchUps)
	case "operations":
		return onEngine(ctx, (*measure.Bench).OperationFigures)
	case "messages":
		return onEngine(ctx, (*measure.Bench).MessageFigures)
	case "feeds":
		return onEngine(ctx, (*measure.Bench).Feeds)
	case "stream":
		return streamedPuts(ctx)
	case "local":
		return measure.Local(ctx)
	case "latency":
		return measure.FeedLatency(ctx)
	case "live":
		return liveFigures(ctx)
	case "collector":
		return collectorFigures(ctx)
	case "sizes":
		return measure.Sizes(ctx, []string{string(httpapi.Write), string(httpapi.Read), "feed"})
	}
	return nil, fmt.Errorf("unknown measurement %q", name)
}

// benchTable is the table's name on every engine that the command starts.
const benchTable = "bench"

// onEngine measures on a new engine, in memory.
func onEngine(ctx context.Context, what func(*measure.Bench, context.Context) ([]measure.Figure, error)) (figures []measure.Figure, err error) {
	err = withTable(ctx, engine.Config{}, func(db *dynamodb.Client) (err error) {
		figures, err = what(measure.New(db, benchTable), ctx)
		return err
	})
	return figures, err
}

// withTable starts an engine with a table, calls use, and stops the engine.
func withTable(ctx context.Context, cfg engine.Config, use func(*dynamodb.Client) error) (err error) {
	e, err := engine.Start(ctx, cfg)
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
