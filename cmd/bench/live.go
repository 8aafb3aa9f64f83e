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

// posts measures posts by processes of this command.
func posts(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return measure.LivePosts(ctx, self, scale)
}

// gaps tries random orders of steps by subscribers, senders and removals on the pure model.
func gaps(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	name := fmt.Sprintf("gaps and leaks in %d random interleavings", interleavings)
	return model{"./internal/live", modelTest}.figure(ctx, name, scale)
}
