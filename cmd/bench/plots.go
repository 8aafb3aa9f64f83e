package main

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/local/engine"
	"parley/internal/measure"
)

// plotFolder has the figures of the page on performance, and their plots. make plots draws these.
const plotFolder = "docs/performance"

// plotFigures measures and writes the figures of all plots.
func plotFigures(ctx context.Context) error {
	return withTable(ctx, engine.Config{}, func(db *dynamodb.Client) error {
		b := measure.New(db, benchTable)
		feeds, err := b.FeedPoints(ctx)
		if err != nil {
			return err
		}
		pages, history, err := b.ReadPoints(ctx)
		if err != nil {
			return err
		}
		return errors.Join(writeFigure("feeds", feeds), writeFigure("pages", pages), writeFigure("history", history))
	})
}

func writeFigure(name string, points []measure.Point) error {
	file, err := os.Create(filepath.Join(plotFolder, name+".csv")) //nolint:gosec // the names are constants
	if err != nil {
		return err
	}
	rows := [][]string{{"series", "x", "y"}}
	for _, p := range points {
		rows = append(rows, p.Row())
	}
	return errors.Join(csv.NewWriter(file).WriteAll(rows), file.Close())
}
