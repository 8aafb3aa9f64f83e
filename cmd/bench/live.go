package main

import (
	"context"
	"fmt"
	"os"

	"example.com/parley/internal/measure"
)

const (
	// interleavings is the number of random orders in the goal, on the pure model.
	interleavings = 1_000_000
	// modelTest is the test that tries them at night.
	modelTest = "TestSubscribe_NoGapAndNoLeak"
)

// liveFigures measures live delivery. It takes about fifteen minutes.
func liveFigures(ctx context.Context) (figures []measure.Figure, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, measured := range []func(context.Context) ([]measure.Figure, error){
		func(ctx context.Context) ([]measure.Figure, error) { return measure.LiveSockets(ctx, measure.FullLoad) },
		measure.LiveThroughput,
		measure.Devices,
		func(ctx context.Context) ([]measure.Figure, error) { return onEngine(ctx, (*measure.Bench).Deliveries) },
		func(ctx context.Context) ([]measure.Figure, error) { return measure.LivePosts(ctx, self) },
		gaps,
	} {
		more, err := measured(ctx)
		if err != nil {
			return nil, err
		}
		figures = append(figures, more...)
	}
	return figures, nil
}

// gaps tries random orders of steps by subscribers, senders and removals on the pure model.
func gaps(ctx context.Context) ([]measure.Figure, error) {
	name := fmt.Sprintf("gaps and leaks in %d random interleavings", interleavings)
	return model{"./internal/live", modelTest}.figure(ctx, name)
}
