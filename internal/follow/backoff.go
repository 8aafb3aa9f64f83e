package follow

import (
	"context"
	"time"
)

const (
	// FirstPause is the longest pause after the first failure.
	FirstPause = 500 * time.Millisecond
	// LongestPause bounds every pause, so that a client is back soon after a long outage.
	LongestPause = 20 * time.Second
)

// Backoff returns a random pause below a bound that doubles with each failure in a row. The whole
// range is random, so that the clients of a failed server do not return together. The random number
// is in [0, 1).
func Backoff(failures int, random float64) time.Duration {
	bound := LongestPause
	if failures < 7 { // 0.5 s doubled six times exceeds the longest pause
		bound = min(bound, FirstPause<<max(failures-1, 0))
	}
	return time.Duration(random * float64(bound))
}

// Sleep waits, or returns the context's error if the context ends first.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
