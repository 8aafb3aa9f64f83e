package stream

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
)

// Failure describes a record that could not be read, or whose feed could not be read. It holds no
// contents.
type Failure struct {
	Room     chat.RoomID `json:"room,omitempty"` // empty if it is unknown
	Key      string      `json:"key,omitempty"`  // the item's sort key; for an erasure, the person's partition
	Sequence string      `json:"sequence"`       // the record's sequence number in the stream
	EventID  string      `json:"event"`
	Reason   string      `json:"reason"`
}

// Failures stores failures for an operator.
type Failures interface {
	// Keep stores a failure. When it returns nil, the failure is durable.
	Keep(ctx context.Context, f Failure) error
}

// Options are the settings of a Handler or an Appender. Both need Store and Clock. A Handler also
// needs Failures and Log. An Appender ignores Failures, Log, Read, Projections, Consumers and
// Eraser.
type Options struct {
	Store Store
	// Read reads a record of the stream; nil means the function Read.
	Read     func(events.DynamoDBEventRecord) Record
	Failures Failures
	Clock    func() time.Time
	// Retention is how long segments are stored; zero means feed.DefaultRetention.
	Retention time.Duration
	// Memory bounds the bytes of the ends of feeds that stay in memory; zero means a default of 32
	// MB. A single room keeps up to a sixteenth. The rest is read again when needed. A Repair
	// compares with every change of a room, so its Appender should remember all changes.
	Memory int
	// Jitter returns a random number in [0, 1) that scales waits; nil means math/rand.
	Jitter func() float64
	Log    *slog.Logger
	// Projections are performed for each batch, in this order, before the consumers are called.
	Projections []Projection
	// Consumers receive the entries that each batch appended.
	Consumers []Consumer
	// Eraser erases deleted people; nil erases nobody.
	Eraser Eraser
}

// The log line of a batch names the room with the most changes, and their number, in these fields.
// The dashboard's query for the busiest rooms adds them up. Two fields cost nothing, but a line
// for each room would be most of the log.
const (
	LogBusiest        = "busiest"
	LogBusiestChanges = "busiestChanges"
)
