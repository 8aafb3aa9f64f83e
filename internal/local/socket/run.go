package socket

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Run ends connections that are idle or old, until ctx ends.
func (g *Gateway) Run(ctx context.Context) {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			g.Sweep()
		}
	}
}

// Sweep ends the connections that have been idle or open for as long as the service allows. Run
// calls it at intervals.
func (g *Gateway) Sweep() {
	now := g.cfg.Clock()
	for _, c := range g.all() {
		if c.expired(now) {
			c.close(goingAway, nil)
		}
	}
}

// Shutdown sends every client the farewell and closes its connection. It waits until the functions
// have handled each end. Clients that do not answer are cut off when ctx ends, which is an error.
func (g *Gateway) Shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.ending = true
	g.mu.Unlock()
	all := g.all()
	for _, c := range all {
		c.close(goingAway, g.cfg.Farewell)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.running.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	for _, c := range all {
		_ = c.meter.Close() // even if a close frame waits to be answered
	}
	select {
	case <-done:
	case <-time.After(cutOffTime):
	}
	return fmt.Errorf("close the connections: %w", ctx.Err())
}

func (g *Gateway) all() []*conn {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Values(g.conns))
}
