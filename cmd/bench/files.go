package main

import (
	"context"

	"example.com/parley/internal/measure"
)

// fileFigures measures the files of messages.
func fileFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	figures, err := onEngine(ctx, scale, (*measure.Bench).FilePages)
	if err != nil {
		return nil, err
	}
	transfers, err := measure.Files(ctx, scale)
	return append(figures, transfers...), err
}
