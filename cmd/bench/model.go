package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"parley/internal/measure"
)

const (
	// modelTime bounds a test of a pure model.
	modelTime = 5 * time.Minute
	// randomReads is the number of reads that the goal is for, and readsTest makes them.
	randomReads = 1_000_000
	readsTest   = "TestReads_MissAndRepeatNothing"
)

// readers reads rooms that grow and shrink, at random times, on the pure model.
func readers(ctx context.Context) ([]measure.Figure, error) {
	name := fmt.Sprintf("missed or repeated in %d random reads of rooms that grow", randomReads)
	return model{"./internal/growth", readsTest, "-reads", randomReads}.figure(ctx, name)
}

// model is a test of a pure model, and the flag that says how many random cases it tries.
type model struct {
	folder, test, flag string
	cases              int
}

// figure runs the test. The figure is 0 if it passes.
func (m model) figure(ctx context.Context, name string) ([]measure.Figure, error) {
	ctx, cancel := context.WithTimeout(ctx, modelTime)
	defer cancel()
	args := []string{"test", m.folder, "-run", "^" + m.test + "$", "-count=1", "-v", "-args", m.flag, strconv.Itoa(m.cases)}
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput() //nolint:gosec // the arguments are constants
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
