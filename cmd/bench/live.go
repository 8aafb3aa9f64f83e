package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"parley/internal/measure"
)

const (
	// interleavings are the random orders that the goal is for, on the pure model.
	interleavings = 1_000_000
	// modelTest tries them.
	modelTest = "TestSubscribe_NoGapAndNoLeak"
)

// liveFigures measures live delivery. It takes some five minutes.
func liveFigures(ctx context.Context) (figures []measure.Figure, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	for _, measured := range []func(context.Context) ([]measure.Figure, error){
		func(ctx context.Context) ([]measure.Figure, error) { return measure.LiveSockets(ctx, measure.FullLoad) },
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

// gaps tries random orders of the steps of subscribers, senders and removals on the pure model.
func gaps(ctx context.Context) ([]measure.Figure, error) {
	name := fmt.Sprintf("gaps and leaks in %d random interleavings", interleavings)
	return model{"./internal/live", modelTest, "-interleavings", interleavings}.figure(ctx, name)
}

// posts makes the posts of a process that measure.LivePosts started.
func posts(ctx context.Context, args []string) error {
	const want = 4
	if len(args) != want {
		return errors.New("posts is for the measurement itself")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	return measure.PostMany(ctx, args[0], n, args[2], args[3])
}
