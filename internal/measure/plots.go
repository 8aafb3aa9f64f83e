package measure

import (
	"context"
	"fmt"
	"strconv"
)

// Point is one point of a plot.
type Point struct {
	Series string
	X, Y   float64
}

// Row returns the point as a row of a CSV file.
func (p Point) Row() []string {
	return []string{p.Series, strconv.FormatFloat(p.X, 'f', -1, 64), strconv.FormatFloat(p.Y, 'f', 2, 64)}
}

// FeedPoints returns how many changes a second the feed of one room takes.
func (b *Bench) FeedPoints(ctx context.Context) ([]Point, error) {
	var points []Point
	for _, load := range feedLoads {
		cost, err := b.feedLoad(ctx, load)
		if err != nil {
			return nil, err
		}
		series := fmt.Sprintf("%d consumers", load.consumers)
		if load.consumers == 1 {
			series = "1 consumer"
		}
		points = append(points, Point{series, float64(load.batch), partitionWrites / cost.writes})
	}
	return points, nil
}

// ReadPoints returns the units of a page, and of a whole room read backwards as a multiple of the
// ideal, by the shards of the room.
func (b *Bench) ReadPoints(ctx context.Context) (pages, history []Point, err error) {
	for _, shards := range readShards {
		cost, err := b.roomCost(ctx, shards)
		if err != nil {
			return nil, nil, fmt.Errorf("reads of %d shards: %w", shards, err)
		}
		n := float64(shards)
		pages = append(pages, Point{"Parley", n, cost.latest.units}, Point{"each shard is asked for the page", n, cost.naivePage})
		history = append(history, Point{"Parley", n, cost.history.units}, Point{"in pages of 200", n, cost.longHistory.units}, Point{"each shard is asked for each page", n, cost.naiveHistory})
	}
	return pages, history, nil
}
