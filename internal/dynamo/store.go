package dynamo

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// Store is chat.AllStore on one DynamoDB table.
type Store struct {
	db       *dynamodb.Client
	table    string
	epochs   *epochCache
	observe  func(context.Context, Usage)
	shares   shares
	itemSize *meanSize
	jitter   func() float64
	feeds    table.Segments
}

var _ chat.AllStore = (*Store)(nil)

// Options are the settings of a Store.
type Options struct {
	Table string
	Clock func() time.Time
	// Observe is told of every call's consumption; nil hears nothing.
	Observe func(context.Context, Usage)
	// Jitter gives a random number in [0, 1) to wait by, where the store itself asks
	// again; nil is the runtime's own.
	Jitter func() float64
	// Changes are the types of changes that the store knows; nil is all of this version.
	Changes chat.ChangeTable
}

// Usage is what one call to DynamoDB consumed, as DynamoDB counts it.
type Usage struct {
	Operation string  // such as "put message"
	Units     float64 // read units of a read, write units of a write
	Write     bool
	Items     int // items returned
}

// New makes a store on a table that exists.
func New(db *dynamodb.Client, o Options) *Store {
	s := &Store{
		db: db, table: o.Table, epochs: newEpochCache(o.Clock), observe: o.Observe,
		shares: shares{rooms: map[chat.RoomID][]float64{}}, itemSize: newMeanSize(), jitter: o.Jitter,
		feeds: table.Segments{Types: o.Changes},
	}
	if s.feeds.Types == nil {
		s.feeds.Types = chat.KnownChanges()
	}
	if s.jitter == nil {
		s.jitter = rand.Float64
	}
	if s.observe == nil {
		s.observe = func(context.Context, Usage) {}
	}
	return s
}

func (s *Store) used(ctx context.Context, u Usage, c *types.ConsumedCapacity) {
	if c != nil && c.CapacityUnits != nil {
		u.Units = *c.CapacityUnits
	}
	s.observe(ctx, u)
}
