package dynamo

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/expiring"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/table"
)

// Store implements the stores of the chat and of the capabilities on one DynamoDB table.
type Store struct {
	table  *Table
	epochs *epochCache
	// archived are the numbers of archived rooms that still count, of people in too many rooms.
	archived *expiring.Cache[chat.UserID, int]
	shares   shardShares
	sizes    itemSizes // of items
	weights  itemSizes // of messages: their PageBytes
	feeds    table.Segments
}

var (
	_ chat.Store       = (*Store)(nil)
	_ membership.Store = (*Store)(nil)
	_ direct.Store     = (*Store)(nil)
	_ feed.Store       = (*Store)(nil)
)

// Options are the settings of a Store.
type Options struct {
	Table string
	Clock func() time.Time
	// Observe receives the consumption of every call. It may be nil.
	Observe func(context.Context, Usage)
	// Jitter returns a random number in [0, 1), for the waits before the store's own retries. The
	// default is the runtime's generator.
	Jitter func() float64
	// Confined makes reads of people's items ask only for the attributes that the socket function
	// needs, because its role allows no others. Such an item cannot be written back.
	Confined bool
	// Changes are the types of changes that the store knows. The default is all types of this
	// version.
	Changes feed.ChangeTable
}

// New returns a Store on a table that exists.
func New(db *dynamodb.Client, o Options) *Store {
	s := &Store{
		table: NewTable(db, o.Table, o.Observe), epochs: newEpochCache(o.Clock),
		archived: expiring.NewCache[chat.UserID, int](chat.ArchivedAge, o.Clock),
		shares:   shardShares{rooms: map[chat.RoomID][]float64{}},
		sizes:    itemSizes{rooms: map[chat.RoomID]meanSize{}}, weights: itemSizes{rooms: map[chat.RoomID]meanSize{}},
		feeds: table.Segments{Types: o.Changes},
	}
	s.table.confined = o.Confined
	if o.Jitter != nil {
		s.table.jitter = o.Jitter
	}
	if s.feeds.Types == nil {
		s.feeds.Types = feed.KnownChanges()
	}
	return s
}

// Table returns the store's table, for capabilities that make their own calls.
func (s *Store) Table() *Table { return s.table }
