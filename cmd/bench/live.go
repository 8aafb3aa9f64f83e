package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"parley/internal/measure"
)

const (
	// interleavings are the random orders that the goal is for, on the pure model.
	interleavings = 1_000_000
	// modelTest tries them, and modelTime bounds it.
	modelTest = "TestSubscribe_NoGapAndNoLeak"
	modelTime = 5 * time.Minute
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
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	args := []string{"test", "./internal/live", "-run", modelTest, "-count=1", "-v", "-args", "-interleavings", strconv.Itoa(interleavings)}
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput() //nolint:gosec // the arguments are constants
	f := measure.Figure{Name: fmt.Sprintf("gaps and leaks in %d random interleavings", interleavings), Goal: "0", Value: "0"}
	switch {
	case err != nil && ctx.Err() == nil:
		f.Value = "found: " + strings.Join(strings.Fields(string(out)), " ")
	case err != nil:
		return nil, err
	case !strings.Contains(string(out), "--- PASS: "+modelTest):
		return nil, errors.New("there is no test " + modelTest)
	}
	return []measure.Figure{f}, nil
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
