package apifn

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/search"
)

// sweepMargin is the time that a sweep leaves of its function's, for the call that it makes last.
const sweepMargin = 10 * time.Second

// SearchFunction is the search function. It is a lambda.Handler of requests and of the daily
// schedule.
type SearchFunction struct {
	// Requests handles the API's events.
	Requests gateway.Function

	index *search.Service
	log   *slog.Logger
}

// Search returns the search function.
func (p Config) Search() SearchFunction {
	s := p.services()
	return SearchFunction{gateway.Function(gateway.Handler(p.handler(s, httpapi.Searches()))), s.Search, p.Log}
}

// Invoke sweeps the index for the schedule's event, which is {"sweep": true}, and handles any other
// event as a request.
func (f SearchFunction) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var event struct {
		Sweep bool `json:"sweep"`
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		return nil, fmt.Errorf("decode the event: %w", err)
	}
	if event.Sweep {
		return []byte("null"), f.Sweep(ctx)
	}
	return f.Requests.Invoke(ctx, payload)
}

// Sweep sweeps the index once. It ends before the deadline of ctx.
func (f SearchFunction) Sweep(ctx context.Context) error {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-sweepMargin))
		defer cancel()
	}
	swept, err := f.index.Sweep(ctx)
	counts := slog.Group(
		"swept", "rooms", swept.Rooms, "stored", swept.Stored, "removed", swept.Removed, "objects", swept.Objects,
	)
	if err != nil {
		f.log.ErrorContext(ctx, "sweep failed", slog.Any("error", err), counts)
		return err
	}
	f.log.InfoContext(ctx, "sweep", counts)
	return nil
}
