// Package scan reads a whole table or index, for the commands of an operator: with a bound on what
// it consumes a second, and so that it can be interrupted and resumed. A scan reads everything that
// there is, so no function links this package.
package scan

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
)

// segments is how many parts a scan takes turns in. Consecutive pages are then of different
// partitions, none of which serves the scan alone.
const segments = 8

// ErrBudget ends a scan that has used what it may use.
var ErrBudget = errors.New("the budget of read units is used up")

// Source is what a scan reads.
type Source struct {
	DB    *dynamodb.Client
	Table string
	Index string // empty is the table itself
}

// Scan is a scan of a Source.
type Scan struct {
	Source
	// Filter and its like say which items DynamoDB returns; it bills the others too.
	Filter table.Filter
	// Pace bounds the read units a second.
	Pace *Pace
	// Budget bounds the read units of one run; 0 is no bound.
	Budget float64
	// Moved is called after each page, when the progress is that of the next; nil is nobody.
	Moved func() error
}

// Progress is how far a scan has come. The zero Progress is its beginning.
type Progress struct {
	Segments []Segment `json:"segments"`
	Items    int64     `json:"items"` // looked at, in all runs
	Units    float64   `json:"units"` // consumed, in all runs
}

// Segment is how far one part of a scan has come.
type Segment struct {
	After Key  `json:"after,omitempty"`
	Done  bool `json:"done,omitempty"`
}

// Done reports whether there is nothing left to scan.
func (p *Progress) Done() bool {
	for _, s := range p.Segments {
		if !s.Done {
			return false
		}
	}
	return len(p.Segments) > 0
}

// Run hands the pages that are left to each, one at a time, and moves p on after each of them. A
// run that ends early can be continued from p: the page that was under way comes again.
func (s *Scan) Run(ctx context.Context, p *Progress, each func(context.Context, []table.Item) error) error {
	if len(p.Segments) == 0 {
		p.Segments = make([]Segment, segments)
	}
	begun := p.Units
	for !p.Done() {
		for i := range p.Segments {
			if p.Segments[i].Done {
				continue
			}
			if s.Budget > 0 && p.Units-begun >= s.Budget {
				return ErrBudget
			}
			if err := s.page(ctx, p, i, each); err != nil {
				return err
			}
		}
	}
	return nil
}

// page reads one page of a segment: half a read unit for every 4 KB that is looked at.
func (s *Scan) page(ctx context.Context, p *Progress, i int, each func(context.Context, []table.Item) error) error {
	start, err := p.Segments[i].After.item()
	if err != nil {
		return err
	}
	in := &dynamodb.ScanInput{
		TableName: &s.Table, ExclusiveStartKey: start,
		Segment: aws.Int32(int32(i)), TotalSegments: aws.Int32(int32(len(p.Segments))),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if s.Index != "" {
		in.IndexName = &s.Index
	}
	if s.Filter.Expression != "" {
		in.FilterExpression, in.ExpressionAttributeValues = &s.Filter.Expression, s.Filter.Values
		in.ProjectionExpression = &s.Filter.Projection
		in.ExpressionAttributeNames = s.Filter.Names
	}
	out, err := s.DB.Scan(ctx, in)
	if err != nil {
		return fmt.Errorf("scan table %s: %w", s.Table, err)
	}
	if err := each(ctx, out.Items); err != nil {
		return err
	}
	used := unitsOf(out.ConsumedCapacity)
	p.Items, p.Units = p.Items+int64(out.ScannedCount), p.Units+used
	p.Segments[i] = Segment{After: keyOf(out.LastEvaluatedKey), Done: len(out.LastEvaluatedKey) == 0}
	if s.Moved != nil {
		if err := s.Moved(); err != nil {
			return err
		}
	}
	return s.Pace.Take(ctx, used)
}

func unitsOf(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

// Cost is what a scan of all of a source takes.
type Cost struct {
	Items int64
	Bytes int64
	Units float64 // read units
}

// unitBytes is what half a read unit reads, eventually consistent.
const unitBytes = 4096

// The list prices of a million read units and of a million write units in us-east-1, in dollars:
// other Regions take up to twice as much.
const (
	pricePerMillion      = 0.125
	writePricePerMillion = 0.625
)

// Cost estimates what a scan takes, from sizes that DynamoDB brings up to date every six hours.
func (s Source) Cost(ctx context.Context) (Cost, error) {
	out, err := s.DB.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &s.Table})
	if err != nil {
		return Cost{}, fmt.Errorf("describe table %s: %w", s.Table, err)
	}
	c := Cost{Items: aws.ToInt64(out.Table.ItemCount), Bytes: aws.ToInt64(out.Table.TableSizeBytes)}
	if s.Index != "" {
		c = Cost{}
	}
	for _, index := range out.Table.GlobalSecondaryIndexes {
		if s.Index != "" && aws.ToString(index.IndexName) == s.Index {
			c = Cost{Items: aws.ToInt64(index.ItemCount), Bytes: aws.ToInt64(index.IndexSizeBytes)}
		}
	}
	c.Units = float64(c.Bytes/unitBytes+1) / 2
	return c, nil
}

// Dollars is the price of read units.
func Dollars(units float64) float64 { return units / 1e6 * pricePerMillion }

// WriteDollars is the price of write units.
func WriteDollars(units float64) float64 { return units / 1e6 * writePricePerMillion }

// Takes is how long units take at a rate.
func (c Cost) Takes(rate float64) time.Duration {
	return time.Duration(c.Units / rate * float64(time.Second)).Round(time.Second)
}
