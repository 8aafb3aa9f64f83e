package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"example.com/parley/internal/bill"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/measure"
)

// allTime bounds all measurements of make bench.
const allTime = 10 * time.Minute

// The groups of measurements that a command prints together.
const (
	inAll  = "all"  // make bench
	inLive = "live" // make bench-live
)

// measurement prints one aspect of Parley.
type measurement struct {
	name, about string
	group       string
	print       func(context.Context, measure.Scale) error
}

// measurements returns all measurements, in the order in which a group prints them.
func measurements() []measurement {
	return []measurement{
		{
			"local", "a server on this machine: sends, pages, catching up, start, memory, delay of the feed", inAll,
			figures(measure.Local),
		},
		{"depth", "sequential calls and units of operations", inAll, depths},
		{"warm", "read units of calls of the API in a warm process", inAll, onBench((*measure.Bench).WarmCalls)},
		{"changes", "read units of catching up", inAll, onBench((*measure.Bench).CatchUps)},
		{"operations", "units of common operations", inAll, onBench((*measure.Bench).OperationFigures)},
		{"messages", "units of operations on messages", inAll, onBench((*measure.Bench).MessageFigures)},
		{"reads", "pages and whole rooms by the number of shards", inAll, onBench((*measure.Bench).Reads)},
		{"feeds", "changes of one feed", inAll, onBench((*measure.Bench).Feeds)},
		{"sizes", "size and start of functions", inAll, figures(sizes)},
		{"readers", "a million random reads of rooms that grow, on the pure model", inAll, figures(readers)},
		{
			"sockets", "frames to a thousand connections, and to one in a quiet room", inLive,
			figures(measure.LiveSockets),
		},
		{"throughput", "posts a second; takes seven minutes", inLive, figures(measure.LiveThroughput)},
		{"device", "pages on a bad network, in Chromium; takes three minutes", inLive, figures(devices)},
		{
			"deliveries", "delivery beside connections that hang or are gone", inLive,
			onBench((*measure.Bench).Deliveries),
		},
		{"posts", "processor time of a post", inLive, figures(posts)},
		{"gaps", "random orders of subscriptions and removals on the pure model", inLive, figures(gaps)},
		{
			"files", "files of messages: transfers, pictures until others see them, and units; takes a minute", "",
			figures(fileFigures),
		},
		{"search", "searches in a million messages, and their cost; takes five minutes", "", figures(searchFigures)},
		{"searchmore", "searches in ten million messages; takes ten minutes", "", figures(moreSearchFigures)},
		{"peers", "Parley, Tinode and Prosody in turn; takes four minutes", "", peers},
		{"connections", "the price of connections, for docs/quotas.md", "", printed(bill.LiveMarkdown)},
		{"attack", "what one person can cost, for docs/security.md", "", printed(bill.AttackMarkdown)},
	}
}

// usage returns the list of the measurements.
func usage() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "bench MEASUREMENT\tprints one of these, or all of a group")
	for _, m := range measurements() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", m.name, m.group, m.about)
	}
	return w.Flush()
}

// printGroup prints the measurements of a group. A failed measurement does not stop the others.
func printGroup(ctx context.Context, group string) error {
	began := time.Now()
	var errs []error
	for _, m := range measurements() {
		if m.group != group {
			continue
		}
		fmt.Printf("\n== %s: %s (%.0f s)\n", m.name, m.about, time.Since(began).Seconds())
		if err := m.print(ctx, measure.Full); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(errs...)
}

// figures returns a print of measured figures.
func figures(measured func(context.Context, measure.Scale) ([]measure.Figure, error)) func(
	context.Context, measure.Scale,
) error {
	return func(ctx context.Context, scale measure.Scale) error {
		all, err := measured(ctx, scale)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "figure\tmeasured\tgoal\tcompare")
		for _, f := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Value, f.Goal, f.Other)
		}
		return w.Flush()
	}
}

// onBench returns a print of figures that are measured on a new engine.
func onBench(what func(*measure.Bench, context.Context) ([]measure.Figure, error)) func(
	context.Context, measure.Scale,
) error {
	return figures(func(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
		return onEngine(ctx, scale, what)
	})
}

// printed returns a print of a text that needs no measurement.
func printed(text func() string) func(context.Context, measure.Scale) error {
	return func(context.Context, measure.Scale) error {
		_, err := fmt.Print(text())
		return err
	}
}

func sizes(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	return measure.Sizes(
		ctx, []string{string(httpapi.Write), string(httpapi.Read), string(httpapi.Search), "feed"}, scale,
	)
}

// devices measures at the full scale only: its scripts are tests of the page.
func devices(ctx context.Context, _ measure.Scale) ([]measure.Figure, error) {
	return measure.Devices(ctx)
}
