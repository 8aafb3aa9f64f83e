// Package feedwriter turns the table's stream into the feeds of rooms: stream record → change →
// segment. The feed function and the local server run its Handler.
//
// A room's feed is a chain of segments with consecutive sequence numbers. An appender takes the
// number after the newest segment's last by a conditional put. If two appenders put at the same
// time, one of them fails, reads the feed again and retries. The stream may therefore be delivered
// twice, from its start again, in pieces, or to several processes at once. A change that is already
// in the feed is left out (see lookback.go).
//
// After the appends of a batch, consumers receive the appended entries (see consume.go).
package feedwriter

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/chat"
)

// Failure is a record whose change could not be read or appended. It holds no contents.
type Failure struct {
	Room     chat.RoomID `json:"room,omitempty"` // empty when it is unknown
	Key      string      `json:"key,omitempty"`  // the item's sort key
	Sequence string      `json:"sequence"`       // the record's number in the stream
	EventID  string      `json:"event"`
	Reason   string      `json:"reason"`
}

// Failures stores failures for an operator.
type Failures interface {
	// Keep stores a failure durably before it returns.
	Keep(ctx context.Context, f Failure) error
}

// Options are the settings of a Handler. Store, Read, Failures, Clock and Log are required. An
// Appender needs only Store and Clock, and ignores Read, Failures and Consumers.
type Options struct {
	Store Store
	// Read parses a record of the stream. It reports false for a record that is not for any feed.
	Read     func(events.DynamoDBEventRecord) (Record, bool)
	Failures Failures
	Clock    func() time.Time
	// Retention is how long segments are stored; zero means feed.DefaultRetention.
	Retention time.Duration
	// Remember is the number of changes of one room that stay in memory; zero means the default for
	// a function. A repair compares with every change of a room, and so remembers all.
	Remember int
	// Jitter returns a random number in [0, 1) that scales waits; nil means math/rand.
	Jitter func() float64
	Log    *slog.Logger
	// Consumers receive the entries that each batch appended.
	Consumers []Consumer
}

// The log line of a batch names the room with the most changes, and their number, in these fields.
// The dashboard's query for the busiest rooms adds them up. A pair of fields costs nothing, whereas
// a line for each room would be most of the log.
const (
	LogBusiest        = "busiest"
	LogBusiestChanges = "busiestChanges"
)
