package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example.com/parley/internal/growth/growing"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/measure"
)

const (
	// growingPeak and growingRamp are a twentieth of the peak, and about the fastest ramp that
	// shards can follow: they begin 11 s after they are decided.
	growingPeak = 1000
	growingRamp = 30 * time.Second
	// growingShards is half the number of shards for the peak, so that the room has grown in
	// several steps.
	growingShards = 32
)

// grown lets a room grow and shrink on a new engine, at a twentieth of the usual rates.
func grown(ctx context.Context) (_ []measure.Figure, err error) {
	e, err := engine.Start(ctx, engine.Config{})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "parley-growing-")
	if err != nil {
		return nil, errors.Join(err, e.Stop(ctx))
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		err = errors.Join(err, e.Stop(stop), os.RemoveAll(dir))
	}()
	r, err := growing.Run(ctx, growing.Config{Endpoint: e.Endpoint(), Dir: dir, Peak: growingPeak, Ramp: growingRamp, Shards: growingShards})
	if err != nil {
		return nil, err
	}
	return []measure.Figure{
		{Name: "messages that failed", Value: fmt.Sprintf("%d of %d", r.Failed, r.Messages), Goal: "0"},
		{Name: "messages that the feed's reader missed", Value: fmt.Sprint(r.Messages - r.Failed - r.Followed), Goal: "0"},
		{Name: "readings of the whole room meanwhile, without a gap", Value: fmt.Sprint(r.Walks)},
		{Name: "most messages in a second", Value: fmt.Sprint(r.Fastest), Goal: fmt.Sprint(growingPeak)},
		{Name: "shards, and when they began", Value: r.Growth(), Goal: "1 at the end"},
	}, nil
}
