package measure

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/table"
)

// streamed holds the numbers of stream records at which writes are timed: in a new folder, after
// one busy hour on a laptop, and after three.
var streamed = []int{0, 20_000, 60_000}

// timedPuts is enough for a rate that repeats in a second run, and small against the number of
// records.
const timedPuts = 1000

// StreamedPuts returns the puts a second to a table with a stream, at each number of records in
// streamed.
func (b *Bench) StreamedPuts(ctx context.Context) ([]float64, error) {
	var rates []float64
	written := 0
	for _, n := range streamed {
		if err := b.put(ctx, written, n); err != nil {
			return nil, err
		}
		began := time.Now()
		written = n + timedPuts
		if err := b.put(ctx, n, written); err != nil {
			return nil, err
		}
		rates = append(rates, timedPuts/time.Since(began).Seconds())
	}
	return rates, nil
}

// StreamedFigures returns the rates with and without our template's index.
func StreamedFigures(with, without []float64) []Figure {
	var figures []Figure
	for i, n := range streamed {
		figures = append(figures, Figure{
			Name:  fmt.Sprintf("puts/s at %d stream records", n),
			Value: fmt.Sprintf("%.0f", with[i]), Goal: "as at 0", Naive: fmt.Sprintf("%.0f", without[i]),
		})
	}
	return figures
}

// put writes the items from number from up to to, exclusive.
func (b *Bench) put(ctx context.Context, from, to int) error {
	group, ctx := errgroup.WithContext(ctx)
	next := atomic.Int64{}
	next.Store(int64(from))
	for range loaders {
		group.Go(func() error {
			for n := next.Add(1) - 1; n < int64(to); n = next.Add(1) - 1 {
				item := table.Key("bench", fmt.Sprintf("%019d", n))
				item["text"] = &types.AttributeValueMemberS{Value: string(make([]byte, itemText))}
				if _, err := b.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: &b.table, Item: item}); err != nil {
					return fmt.Errorf("put item %d: %w", n, err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}
