package main

import (
	"context"

	"example.com/parley/internal/measure"
)

// fileFigures measures the files of messages.
func fileFigures(ctx context.Context) ([]measure.Figure, error) {
	figures, err := onEngine(ctx, (*measure.Bench).FilePages)
	if err != nil {
		return nil, err
	}
	transfers, err := measure.Files(ctx)
	return append(figures, transfers...), err
}
