package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"parley/internal/dynamo"
	"parley/internal/growth/capacity"
)

const (
	// heldRooms is on how many rooms a load is tried that a room should take.
	heldRooms = 50
	// otherRooms is on how many the others are tried.
	otherRooms = 10
)

// growths prints how a room takes loads in the simulation of DynamoDB's partitions.
func growths(ctx context.Context) error {
	attempts, wait := dynamo.Retries()
	retries := capacity.Retries{Attempts: attempts, Wait: wait}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, capacity.Header)
	for _, warm := range []int{capacity.WarmWrites, capacity.NewWrites} {
		for _, ramp := range capacity.Ramps() {
			rooms := otherRooms
			if warm == capacity.WarmWrites && ramp == capacity.HeldRamp {
				rooms = heldRooms
			}
			s, err := capacity.Try(ctx, capacity.Load{Ramp: ramp, Warm: warm}, rooms, retries)
			if err != nil {
				return err
			}
			fmt.Fprintln(w, s.Row())
		}
	}
	return w.Flush()
}
