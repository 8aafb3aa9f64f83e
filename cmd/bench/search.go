package main

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/measure"
)

// archives returns the folder of real archives.
func archives() string { return cmp.Or(os.Getenv("CHAT_DATA"), "../shared/data") }

func searchFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	fmt.Println("A million messages in 20 rooms of one person: the real archives of CHAT_DATA, repeated with shifted " +
		"words. They are in")
	fmt.Println("English, so three rooms have made-up Chinese instead. Messages are in memory, and a call to the " +
		"table takes 4 ms, one to S3 30 ms.")
	all, err := measure.Searches(ctx, archives(), scale)
	if err != nil {
		return nil, err
	}
	cost, err := searchCost(ctx, scale)
	return append(all, cost...), err
}

func moreSearchFigures(ctx context.Context, scale measure.Scale) ([]measure.Figure, error) {
	return measure.MoreSearches(ctx, archives(), scale)
}

// searchCost counts what a search consumes.
func searchCost(ctx context.Context, scale measure.Scale) (figures []measure.Figure, err error) {
	var counted measure.SearchCost
	err = withTable(ctx, engine.Config{}, func(db *dynamodb.Client) (err error) {
		counted, err = measure.New(db, benchTable, scale).Searches(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		name string
		measure.SearchOperation
	}{{"the first one, which builds the index", counted.First}, {"cold", counted.Cold}, {"warm", counted.Warm}} {
		figures = append(figures, measure.Figure{
			Name:  "a search in 10 rooms, " + of.name + ": read units, reads and writes of S3",
			Value: fmt.Sprintf("%.1f, %d, %d", of.Reads, of.Gets, of.Puts),
		})
	}
	return figures, nil
}
