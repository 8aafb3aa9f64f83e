package main

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/bill"
	"example.com/parley/internal/measure"
)

// hookFigures measures deliveries to the addresses of hooks.
func hookFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	all, err := measure.Hooks(ctx, scale)
	if err != nil {
		return nil, err
	}
	err = withTable(ctx, func(db *dynamodb.Client) error {
		costs, err := hookCosts(ctx, measure.New(db, benchTable, scale))
		all = append(all, costs...)
		return err
	})
	return all, err
}

// hookCosts are the consumption and the price of deliveries that have one change, or many. The
// goals are for receivers that answer soon.
func hookCosts(ctx context.Context, b *measure.Bench) (figures []measure.Figure, err error) {
	for _, of := range []struct {
		changes int
		goal    string
	}{{1, "≤ $4"}, {20, "≤ $0.40"}} {
		use, err := b.HookUse(ctx, of.changes)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("a change, %d in a request", of.changes)
		figures = append(figures, measure.Figure{
			Name: name + ": read units, write units, requests of the queue, calls, bytes",
			Value: fmt.Sprintf(
				"%.3g, %.3g, %.3g, %.3g, %.0f", use.Reads, use.Writes, use.Requests, use.Calls, use.Bytes,
			),
		})
		goal := of.goal
		for _, wait := range []float64{50, 200, 5000} {
			d := bill.Deliveries{
				Reads: use.Reads, Writes: use.Writes, Requests: use.Requests, Calls: use.Calls, Bytes: use.Bytes,
				Wait: wait,
			}
			figures = append(figures, measure.Figure{
				Name: fmt.Sprintf("%s: a million, to a receiver that answers in %g ms", name, wait),
				Goal: goal, Value: bill.DeliveriesText(d),
			})
			goal = ""
		}
	}
	return figures, nil
}
