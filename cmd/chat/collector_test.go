package main

import (
	"math"
	"runtime/debug"
	"testing"

	"example.com/parley/internal/config"
)

// TestServe_SetsTheCollector starts servers that refuse their flags. It changes process-wide
// settings, so it is not parallel.
func TestServe_SetsTheCollector(t *testing.T) {
	const before = 150
	for _, c := range []struct {
		percent, limit string
		wantPercent    int
		wantLimit      int64
	}{
		{"", "", config.GarbagePercent, memoryLimit},
		{"300", "100MiB", before, math.MaxInt64},
	} {
		t.Setenv(config.EnvGarbagePercent, c.percent)
		t.Setenv(config.EnvMemoryLimit, c.limit)
		percent, limit := debug.SetGCPercent(before), debug.SetMemoryLimit(math.MaxInt64)
		err := (&serveCmd{}).Run(t.Context(), streams{})
		gotPercent, gotLimit := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
		if err == nil || gotPercent != c.wantPercent || gotLimit != c.wantLimit {
			t.Errorf("with %q and %q: %d, %d, %v", c.percent, c.limit, gotPercent, gotLimit, err)
		}
	}
}
