// Package scan reads a whole table or index, for an operator's commands. It bounds the units that
// it consumes a second, and a scan can be interrupted and resumed. A scan reads every item, so no
// function links this package.
package scan

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/table"
)

// segments is the number of parts that a scan reads in turn. Consecutive pages then come from
// different partitions, so no single partition bears the whole scan.
const segments = 8

// ErrBudget is the error of a scan that has used up its budget.
var ErrBudget = errors.New("the budget of read units is used up")

// Source is a table, or an index of it, to scan.
type Source struct {
	DB    *dynamodb.Client
	Table string
	Index string // empty for the table itself
}

// Scan is a scan of a Source.
type Scan struct {
	Source
	// Filter selects the items that DynamoDB returns. It also bills the others.
	Filter table.Filter
	// Limiter limits the read units a second.
	Limiter *RateLimiter
	// Budget bounds the read units of one run. 0 means no bound.
	Budget float64
	// Moved is called after each page, when the progress has reached the next. It may be nil.
	Moved func() error
}

// Progress is the saved position of a scan. The zero Progress is its beginning.
type Progress struct {
	Segments []Segment `json:"segments"`
	Items    int64     `json:"items"` // examined, in all runs
	Units    float64   `json:"units"` // consumed, in all runs
}

// Segment is the position of one part of a scan.
type Segment struct {
	After Key  `json:"after,omitempty"`
	Done  bool `json:"done,omitempty"`
}

// Done reports whether the scan is complete.
func (p *Progress) Done() bool {
	for _, s := range p.Segments {
		if !s.Done {
			return false
		}
	}
	return len(p.Segments) > 0
}

// Run calls each with the remaining pages, one at a time, and advances p after each of them. A run
// that ends early can be continued from p. It then repeats the page that failed.
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

// page reads one page of a segment: half a read unit for every 4 KB that it examines.
func (s *Scan) page(ctx context.Context, p *Progress, i int, each func(context.Context, []table.Item) error) error {
	start, err := p.Segments[i].After.item()
	if err != nil {
		return err
	}
	segment, segments := int32(i), int32(len(p.Segments)) //nolint:gosec // a scan has a handful
	in := &dynamodb.ScanInput{
		TableName: &s.Table, ExclusiveStartKey: start,
		Segment: &segment, TotalSegments: &segments,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if s.Index != "" {
		in.IndexName = &s.Index
	}
	if s.Filter.Expression != "" {
		in.FilterExpression, in.ExpressionAttributeValues = &s.Filter.Expression, s.Filter.Values
		in.ExpressionAttributeNames = s.Filter.Names
		if s.Filter.Projection != "" {
			in.ProjectionExpression = &s.Filter.Projection
		}
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
	return s.Limiter.Take(ctx, used)
}

func unitsOf(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

// Cost is the estimated cost of scanning a whole source.
type Cost struct {
	Items int64
	Bytes int64
	Units float64 // read units
}

// unitBytes is the number of bytes that half a read unit reads with eventual consistency.
const unitBytes = 4096

// The list prices of a million read units and of a million write units in us-east-1, in dollars.
// Other Regions cost up to twice as much.
const (
	pricePerMillion      = 0.125
	writePricePerMillion = 0.625
)

// Cost estimates the cost of a scan, from sizes that DynamoDB updates every six hours.
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

// Dollars returns the price of read units.
func Dollars(units float64) float64 { return units / 1e6 * pricePerMillion }

// WriteDollars returns the price of write units.
func WriteDollars(units float64) float64 { return units / 1e6 * writePricePerMillion }

// Takes returns the duration of a scan at a rate of units a second.
func (c Cost) Takes(rate float64) time.Duration {
	return time.Duration(c.Units / rate * float64(time.Second)).Round(time.Second)
}

// Key is a primary key in the form of a progress file: by attribute, "S" or "N" and the value.
type Key map[string][2]string

// keyOf returns an item's key. The item must have no other attributes.
func keyOf(item table.Item) Key {
	k := Key{}
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			k[name] = [2]string{"S", v.Value}
		case *types.AttributeValueMemberN:
			k[name] = [2]string{"N", v.Value}
		}
	}
	return k
}

// item returns the key in the SDK's form. It is nil at the start of a scan.
func (k Key) item() (table.Item, error) {
	if len(k) == 0 {
		return nil, nil
	}
	item := table.Item{}
	for name, v := range k {
		switch v[0] {
		case "S":
			item[name] = &types.AttributeValueMemberS{Value: v[1]}
		case "N":
			item[name] = &types.AttributeValueMemberN{Value: v[1]}
		default:
			return nil, fmt.Errorf("the progress has a key of type %q", v[0])
		}
	}
	return item, nil
}

// RateLimiter limits a command to a number of capacity units a second, so it leaves the rest for
// the service's users. It is safe for concurrent use.
type RateLimiter struct {
	rate  float64
	clock func() time.Time

	mu   sync.Mutex
	free time.Time // when all units taken so far are paid for
	used float64
}

// NewRateLimiter returns a RateLimiter of rate units a second.
func NewRateLimiter(rate float64, clock func() time.Time) *RateLimiter {
	return &RateLimiter{rate: rate, clock: clock}
}

// Take waits until the given units, which were just consumed, are paid for at this limiter.
func (p *RateLimiter) Take(ctx context.Context, units float64) error {
	return smithytime.SleepWithContext(ctx, p.take(units))
}

// take returns the wait until the given units are paid for.
func (p *RateLimiter) take(units float64) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	if p.free.Before(now) {
		p.free = now
	}
	p.used += units
	p.free = p.free.Add(time.Duration(units / p.rate * float64(time.Second)))
	return p.free.Sub(now)
}

// Used returns the number of units taken so far.
func (p *RateLimiter) Used() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}
