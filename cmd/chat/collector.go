package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"example.com/parley/internal/config"
)

const (
	// memoryLimit is the heap above which the collector works harder. A thousand connections need
	// 60 MB.
	memoryLimit = 256 << 20
	// memoryPause is the time between two returns of memory. A return takes some milliseconds.
	memoryPause = time.Minute
)

// setCollector sets how much the heap of a server grows before it is collected, unless its
// environment sets it.
func setCollector() {
	if os.Getenv(config.EnvGarbagePercent) == "" {
		debug.SetGCPercent(config.GarbagePercent)
	}
	if os.Getenv(config.EnvMemoryLimit) == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// returnMemory collects garbage, and returns unused memory to the system, each memoryPause. By
// itself the runtime waits for minutes, and meanwhile keeps the heap of the start or of a load.
// The returned function stops this.
func returnMemory(ctx context.Context) (stop func()) {
	return every(ctx, memoryPause, memoryPause, func(context.Context) { debug.FreeOSMemory() })
}
