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

// measurement prints one aspect of Parley.
type measurement struct {
	name, about string
	inAll       bool // part of make bench
	print       func(context.Context) error
}

// measurements returns all measurements, in the order of make bench.
func measurements() []measurement {
	return []measurement{
		{"local", "a server on this machine: sends, pages, catching up, start, memory, delay of the feed", true, figures(measure.Local)},
		{"depth", "sequential calls and units of operations", true, depths},
		{"warm", "read units of calls of the API in a warm process", true, onBench((*measure.Bench).WarmCalls)},
		{"changes", "read units of catching up", true, onBench((*measure.Bench).CatchUps)},
		{"operations", "units of common operations", true, onBench((*measure.Bench).OperationFigures)},
		{"messages", "units of operations on messages", true, onBench((*measure.Bench).MessageFigures)},
		{"lost", "messages whose replies are lost", true, onBench((*measure.Bench).Lost)},
		{"reads", "pages and whole rooms by the number of shards", true, onBench((*measure.Bench).Reads)},
		{"feeds", "changes of one feed", true, onBench((*measure.Bench).Feeds)},
		{"sizes", "size and start of functions", true, figures(sizes)},
		{"millions", "list prices of a million", true, printed(bill.MillionsMarkdown)},
		{"readers", "a million random reads of rooms that grow, on the pure model", true, figures(readers)},
		{"growing", "a room that grows and shrinks on the engine, at a twentieth of the rates", true, figures(grown)},
		{"live", "live delivery; takes fifteen minutes", false, figures(liveFigures)},
		{"throughput", "the part of live about posts a second; takes seven minutes", false, figures(measure.LiveThroughput)},
		{"device", "the part of live about pages on a bad network, in Chromium; takes three minutes", false, figures(measure.Devices)},
		{"files", "files of messages: transfers beside nginx, pictures until others see them, and units; takes a minute", false, figures(fileFigures)},
		{"search", "searches in a million messages, next to SQLite FTS5 and ripgrep, and their cost; takes five minutes", false, figures(searchFigures)},
		{"searchmore", "searches in ten million messages; takes ten minutes", false, figures(moreSearchFigures)},
		{"latency", "the delay of the local feed", false, figures(measure.FeedLatency)},
		{"stream", "the engine's stream; takes ten minutes", false, figures(streamedPuts)},
		{"bill", "the bill of a team, for docs/deploy.md", false, printed(bill.Markdown)},
		{"attack", "what one person can cost, for docs/security.md", false, printed(bill.AttackMarkdown)},
	}
}

// usage returns the list of the measurements.
func usage() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "bench MEASUREMENT\tprints one of these; those with a star are in all, which make bench prints")
	for _, m := range measurements() {
		star := ""
		if m.inAll {
			star = " *"
		}
		fmt.Fprintf(w, "  %s%s\t%s\n", m.name, star, m.about)
	}
	return w.Flush()
}

// all prints the measurements of make bench. A failed measurement does not stop the others.
func all(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, allTime, fmt.Errorf("the measurements took longer than %v", allTime))
	defer cancel()
	began := time.Now()
	var errs []error
	for _, m := range measurements() {
		if !m.inAll {
			continue
		}
		fmt.Printf("\n== %s: %s (%.0f s)\n", m.name, m.about, time.Since(began).Seconds())
		if err := m.print(ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return errors.Join(errs...)
}

// figures returns a print of measured figures.
func figures(measured func(context.Context) ([]measure.Figure, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		all, err := measured(ctx)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "figure\tmeasured\tgoal\tnaive")
		for _, f := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", f.Name, f.Value, f.Goal, f.Naive)
		}
		return w.Flush()
	}
}

// onBench returns a print of figures that are measured on a new engine.
func onBench(what func(*measure.Bench, context.Context) ([]measure.Figure, error)) func(context.Context) error {
	return figures(func(ctx context.Context) ([]measure.Figure, error) { return onEngine(ctx, what) })
}

// printed returns a print of a text that needs no measurement.
func printed(text func() string) func(context.Context) error {
	return func(context.Context) error {
		_, err := fmt.Print(text())
		return err
	}
}

func sizes(ctx context.Context) ([]measure.Figure, error) {
	return measure.Sizes(ctx, []string{string(httpapi.Write), string(httpapi.Read), string(httpapi.Search), "feed"})
}
