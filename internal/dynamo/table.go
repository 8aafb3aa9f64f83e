package dynamo

import (
	"context"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

// Table makes calls to one DynamoDB table. Each call names its operation, which appears in errors
// and in the Usage that Observe receives.
type Table struct {
	db      *dynamodb.Client
	name    string
	pk, sk  string // the attributes of the primary key
	observe func(context.Context, Usage)
	jitter  func() float64 // a random number in [0, 1)
	// confined makes reads of people's items name the attributes in table.ConfinedAttributes.
	confined bool
}

// Usage is the consumption of one call, as DynamoDB counts it.
type Usage struct {
	Operation string  // such as "put message"
	Units     float64 // read units of a read, write units of a write
	Write     bool
	Items     int // items returned
}

// NewTable returns a Table with the keys of Parley's main table. Observe may be nil.
func NewTable(db *dynamodb.Client, name string, observe func(context.Context, Usage)) *Table {
	if observe == nil {
		observe = func(context.Context, Usage) {}
	}
	return &Table{db: db, name: name, pk: table.PK, sk: table.SK, observe: observe, jitter: rand.Float64}
}

// NewLogTable returns a Table with the keys of the activity log. Observe may be nil.
func NewLogTable(db *dynamodb.Client, name string, observe func(context.Context, Usage)) *Table {
	t := NewTable(db, name, observe)
	t.pk, t.sk = table.LogPK, table.LogSK
	return t
}

// Consistency is how current a read is.
type Consistency bool

const (
	// Eventual may miss writes from about the last second. It costs half as much as Strong.
	Eventual Consistency = false
	// Strong sees every write that was acknowledged before. Indexes do not support it.
	Strong Consistency = true
)

func (t *Table) used(ctx context.Context, u Usage, c *types.ConsumedCapacity) {
	if c != nil && c.CapacityUnits != nil {
		u.Units = *c.CapacityUnits
	}
	t.observe(ctx, u)
}
