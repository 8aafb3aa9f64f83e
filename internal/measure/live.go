package measure

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// LiveSockets measures live delivery by a server on this machine, through its WebSocket API.
func LiveSockets(ctx context.Context, scale Scale) ([]Figure, error) {
	s, err := startServer(ctx, scale)
	if err != nil {
		return nil, err
	}
	defer s.end()
	var figures []Figure
	for _, measure := range []func(context.Context) ([]Figure, error){s.quiet, s.crowd, s.removals} {
		more, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// percentiles returns a figure for the 50th and one for the 99th percentile.
func percentiles(name string, waits []time.Duration, p50, p99 time.Duration) []Figure {
	slices.Sort(waits)
	var figures []Figure
	for _, p := range []struct {
		percent int
		goal    time.Duration
	}{{50, p50}, {99, p99}} {
		value := time.Duration(0)
		if len(waits) > 0 {
			value = waits[len(waits)*p.percent/100]
		}
		f := Figure{Name: fmt.Sprintf("%s, p%d of %d", name, p.percent, len(waits)), Value: milliseconds(value)}
		if p.goal > 0 {
			f.Goal, f.Value = "≤ "+milliseconds(p.goal), milliseconds(value)+short(value, p.goal)
		}
		figures = append(figures, f)
	}
	return figures
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.0f ms", float64(d)/float64(time.Millisecond))
}

// short returns by how much a time misses its goal.
func short(value, goal time.Duration) string { return over(float64(value), float64(goal)) }
