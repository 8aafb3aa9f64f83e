package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/measure"
)

// streamedPuts measures on an engine whose file has our template's index, and on an engine whose
// file does not. The second takes about ten minutes.
func streamedPuts(ctx context.Context) (figures []measure.Figure, err error) {
	dir, err := os.MkdirTemp("", "parley-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	with, err := streamedOn(ctx, filepath.Join(dir, "with.db"))
	if err != nil {
		return nil, err
	}
	plain := filepath.Join(dir, "without.db")
	// SQLite treats an empty file as a new database. Our launcher treats it as an existing one, and
	// adds no index.
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		return nil, err
	}
	without, err := streamedOn(ctx, plain)
	if err != nil {
		return nil, err
	}
	return measure.StreamedFigures(with, without), nil
}

func streamedOn(ctx context.Context, file string) (rates []float64, err error) {
	err = withTable(ctx, engine.Config{File: file}, func(db *dynamodb.Client) (err error) {
		if _, err = dynamo.EnableStream(ctx, db, benchTable); err != nil {
			return err
		}
		rates, err = measure.New(db, benchTable).StreamedPuts(ctx)
		return err
	})
	return rates, err
}
