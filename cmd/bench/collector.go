package main

import (
	"context"
	"errors"
	"time"

	"parley/internal/dynamo"
	"parley/internal/local/engine"
	"parley/internal/measure"
)

// collectorFigures measures processes of functions on a new engine, in memory.
func collectorFigures(ctx context.Context) (figures []measure.Figure, err error) {
	e, err := engine.Start(ctx, engine.Config{})
	if err != nil {
		return nil, err
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		err = errors.Join(err, e.Stop(stop))
	}()
	db := dynamo.LocalClient(e.Endpoint())
	if err := dynamo.CreateTable(ctx, db, benchTable); err != nil {
		return nil, err
	}
	store := dynamo.New(db, dynamo.Options{Table: benchTable, Clock: time.Now})
	return measure.Collector(ctx, store, e.Endpoint(), benchTable)
}
