package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"parley/internal/dynamo"
	"parley/internal/growth/capacity"
)

// growths prints how a room takes loads in the simulation of DynamoDB's partitions.
func growths(ctx context.Context) error {
	attempts, wait := dynamo.Retries()
	retries := capacity.Retries{Attempts: attempts, Wait: wait}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, capacity.Header)
	for _, warm := range []int{capacity.WarmWrites, capacity.NewWrites} {
		for _, ramp := range capacity.Ramps() {
			s, err := capacity.Try(ctx, ramp, warm, retries)
			if err != nil {
				return err
			}
			fmt.Fprintln(w, s.Row())
		}
	}
	return w.Flush()
}
