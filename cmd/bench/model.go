package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"example.com/parley/internal/measure"
)

const (
	// modelTime bounds one test of a pure model.
	modelTime = 5 * time.Minute
	// randomReads is the number of reads in the goal. readsTest makes them at night.
	randomReads = 1_000_000
	readsTest   = "TestReads_MissAndRepeatNothing"
)

// readers reads rooms that grow and shrink, at random times, on the pure model.
func readers(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	name := fmt.Sprintf("missed or repeated in %d random reads of rooms that grow", randomReads)
	return model{"./internal/growth", readsTest}.figure(ctx, name, scale)
}

// model is a test of a pure model.
type model struct{ folder, test string }

// figure runs the test, at the full scale all of it. The figure is 0 if it passes.
func (m model) figure(ctx context.Context, name string, scale measure.Scale) ([]measure.Figure, error) {
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", m.folder, "-run", "^"+m.test+"$", "-count=1", "-v") //nolint:gosec // the arguments are constants
	if scale == measure.Full {
		cmd.Env = append(os.Environ(), "NIGHTLY=1")
	}
	out, err := cmd.CombinedOutput()
	f := measure.Figure{Name: name, Goal: "0", Value: "0"}
	switch {
	case err != nil && ctx.Err() == nil:
		f.Value = "found: " + strings.Join(strings.Fields(string(out)), " ")
	case err != nil:
		return nil, err
	case !strings.Contains(string(out), "--- PASS: "+m.test):
		return nil, errors.New("there is no test " + m.test)
	}
	return []measure.Figure{f}, nil
}
