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

// returnMemory collects and gives unused memory back to the system each memoryPause, until ctx
// ends. The runtime alone waits for minutes, and keeps the start's or a load's heap meanwhile.
func returnMemory(ctx context.Context) {
	tick := time.NewTicker(memoryPause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			debug.FreeOSMemory()
		case <-ctx.Done():
			return
		}
	}
}
