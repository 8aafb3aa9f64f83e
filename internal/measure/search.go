package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/parley/internal/measure/searching"
)

const (
	// searchMessages is the number of messages in the goals, and moreSearchMessages is without a
	// goal.
	searchMessages     = 1_000_000
	moreSearchMessages = 10_000_000
	// searchQueries is the number of queries in a warm process, and coldQueries in as many new
	// ones.
	searchQueries = 1008
	coldQueries   = 90
	// comparedQueries is the number of queries whose results are compared with a plain scan.
	comparedQueries = 180
	searchGoal      = 300 * time.Millisecond
	// indexGoal is the size of the index for each byte of text.
	indexGoal = 0.6
)

// Searches measures searches in a million messages. archives is the folder of real archives.
func Searches(ctx context.Context, archives string, scale Scale) (figures []Figure, err error) {
	dir, err := os.MkdirTemp("", "parley-search-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	corpus, err := searching.Read(archives, scale.of(searchMessages))
	if err != nil {
		return nil, err
	}
	b := searching.NewBench(corpus, scale.of(searchQueries), filepath.Join(dir, "files"))
	own, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	more, err := searchTimes(ctx, b, scale.of(coldQueries))
	if err != nil {
		return nil, err
	}
	figures = append(sizeFigures(own), more...)
	differences, results, err := b.Differences(ctx, scale.of(comparedQueries))
	return append(figures, Figure{
		Name: fmt.Sprintf("differences to a plain scan, %d queries", scale.of(comparedQueries)), Goal: "0",
		Value: fmt.Sprintf("%d of %d results", differences, results),
	}), err
}

// MoreSearches measures searches in ten million messages.
func MoreSearches(ctx context.Context, archives string, scale Scale) (figures []Figure, err error) {
	dir, err := os.MkdirTemp("", "parley-search-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	corpus, err := searching.Read(archives, scale.of(moreSearchMessages))
	if err != nil {
		return nil, err
	}
	b := searching.NewBench(corpus, scale.of(coldQueries), dir)
	own, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	more, err := searchTimes(ctx, b, scale.of(coldQueries/2))
	return append(sizeFigures(own), more...), err
}

// sizeFigures returns the figures of an index.
func sizeFigures(x searching.Index) []Figure {
	const megabyte = 1e6
	size := float64(x.Bytes) / float64(x.Text)
	return []Figure{
		{
			Name:  "texts, and the time to index them",
			Value: fmt.Sprintf("%.1f MB, %.0f s", float64(x.Text)/megabyte, x.Took.Seconds()),
		},
		{
			Name: "bytes of the index for each byte of text", Value: fmt.Sprintf("%.2f%s", size, over(size, indexGoal)),
			Goal: fmt.Sprintf("≤ %.1f", indexGoal),
		},
	}
}

// searchTimes measures the queries in cold and in warm processes.
func searchTimes(ctx context.Context, b *searching.Bench, colds int) (figures []Figure, err error) {
	cold, err := b.Cold(ctx, colds)
	if err != nil {
		return nil, err
	}
	warm, err := b.Warm(ctx, colds)
	if err != nil {
		return nil, err
	}
	for kind, name := range searching.Kinds() {
		figures = append(figures,
			Figure{Name: name + ", cold, p50 / p99", Value: bothPercentiles(cold.TimesOf(b.Queries, kind))},
			Figure{Name: name + ", warm, p50 / p99", Value: bothPercentiles(warm.TimesOf(b.Queries, kind))},
		)
	}
	p99 := searching.Percentile(warm.Times, 99)
	// of all
	within := len(slices.DeleteFunc(
		slices.Clone(warm.Times), func(took time.Duration) bool { return took > searchGoal },
	))
	figures = append(figures,
		Figure{Name: fmt.Sprintf("all %d, cold, p50 / p99", len(cold.Times)), Value: bothPercentiles(cold.Times)},
		Figure{Name: fmt.Sprintf("all %d, warm, p50 / p99", len(warm.Times)), Value: bothPercentiles(warm.Times)},
		atMost("99 of 100 warm searches", p99, searchGoal),
		Figure{Name: "warm searches within the goal", Value: fmt.Sprintf("%d of %d", within, len(warm.Times))},
	)
	for _, of := range []struct {
		name string
		searching.Run
	}{{"cold", cold}, {"warm", warm}} {
		n := float64(len(of.Times))
		figures = append(figures, Figure{
			Name: "a " + of.name + " search: calls to the table and to S3, MB read, processor time",
			Value: fmt.Sprintf("%.1f, %.1f, %.1f MB, %.0f ms", float64(of.Calls)/n, float64(of.Reads+of.Writes)/n,
				float64(of.Sent)/1e6/n,
				ms(of.Processor)/n),
		}, Figure{
			Name:  "of these " + of.name + " searches, stopped with a cursor",
			Value: fmt.Sprintf("%d of %d", of.Stopped, len(of.Times)),
		})
	}
	return figures, nil
}

// bothPercentiles returns the median and the 99th percentile of times.
func bothPercentiles(times []time.Duration) string {
	return fmt.Sprintf("%.3g / %.3g ms", ms(searching.Percentile(times, 50)), ms(searching.Percentile(times, 99)))
}
