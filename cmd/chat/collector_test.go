package main

import (
	"runtime/debug"
	"testing"

	"example.com/parley/internal/config"
)

// TestServe_SetsTheCollector starts servers that refuse their flags. It changes process-wide
// settings, so it is not parallel.
func TestServe_SetsTheCollector(t *testing.T) {
	const before = 150
	for _, c := range []struct {
		variable string
		want     int
	}{{"", garbagePercent}, {"300", before}} {
		t.Setenv(config.EnvGarbagePercent, c.variable)
		former := debug.SetGCPercent(before)
		err := (&serveCmd{}).Run(t.Context(), streams{})
		if got := debug.SetGCPercent(former); err == nil || got != c.want {
			t.Errorf("with %s=%q: %d, %v, want %d", config.EnvGarbagePercent, c.variable, got, err, c.want)
		}
	}
}
