package main

import (
	"context"
	"log/slog"
	"time"
	_ "time/tzdata" // for machines without time zones

	"example.com/parley/internal/httpapi"
)

const (
	// firstIndexSweep is how long after the start of a server its first sweep of the index begins.
	// Servers on laptops may never run for a day.
	firstIndexSweep = 5 * time.Minute
	// indexSweepInterval is the interval of the schedule in AWS.
	indexSweepInterval = 24 * time.Hour
)

// startIndexSweep sweeps the index of searches after a while and then daily, as the schedule in AWS
// does. The returned function ends that.
func (c *serveCmd) startIndexSweep(
	ctx context.Context, log *slog.Logger, endpoint string, wait time.Duration,
) (stop func()) {
	return every(ctx, wait, indexSweepInterval, func(ctx context.Context) {
		_ = c.function(log, endpoint, httpapi.Search).Search().Sweep(ctx) // it logs a failure
	})
}
