package main

import (
	"context"
	"fmt"
	"strconv"

	"example.com/parley/internal/measure"
)

// load is the repeated work of a measurement, which runs in a separate process.
type load func(ctx context.Context, what string, n int, endpoint, rest string) error

// loads returns the loads, by the first argument of their process.
func loads() map[string]load {
	return map[string]load{"posts": measure.PostMany}
}

// runChild runs a load in a process that a measurement started.
func runChild(ctx context.Context, l load, args []string) error {
	const want = 5
	if len(args) != want {
		return fmt.Errorf("%s is for the measurement itself", args[0])
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return l(ctx, args[1], n, args[3], args[4])
}
