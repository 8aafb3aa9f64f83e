// Package feedwriter turns the table's stream into the feeds of rooms: stream record → change → segment.
// The feed function runs it, and so does a local server.
//
// A room's feed is a chain of segments under one unbroken sequence. An appender takes the number
// after the newest segment's last by a conditional put. Of two at once one is refused, reads the
// feed again and retries. So the stream may come twice, from the start again, in pieces, or to
// several processes at once: a change that is in the feed already is left out (see lookback.go).
//
// After the appends of a batch, consumers receive what it appended (see consume.go).
package feedwriter

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/chat"
)

// Failure is a record that could not be entered as what it is. It holds no contents.
type Failure struct {
	Room     chat.RoomID `json:"room,omitempty"` // empty when even that is not known
	Key      string      `json:"key,omitempty"`  // the item's sort key
	Sequence string      `json:"sequence"`       // the record's number in the stream
	EventID  string      `json:"event"`
	Reason   string      `json:"reason"`
}

// Failures keeps failures for an operator to look at.
type Failures interface {
	// Keep returns when the failure is safely kept.
	Keep(ctx context.Context, f Failure) error
}

// Options are the settings of a Handler. Store, Read, Failures, Clock and Log are required. An
// Appender does without Read, Failures and Log, and has no Consumers.
type Options struct {
	Store Store
	// Read reads a record of the stream. It reports false for one that enters no feed.
	Read     func(events.DynamoDBEventRecord) (Record, bool)
	Failures Failures
	Clock    func() time.Time
	// Retention is how long segments are kept; zero is the default.
	Retention time.Duration
	// Remember is how many changes of one room are remembered; zero is the number that suits a
	// function. A repair compares with every change of a room, and remembers all.
	Remember int
	// Jitter returns a random number in [0, 1) to wait by; nil is the runtime's own.
	Jitter func() float64
	Log    *slog.Logger
	// Consumers receive what each batch appended.
	Consumers []Consumer
}

// The fields of a batch's log line that name the room with the most changes in it, and count them.
// The dashboard's query for the busiest rooms adds them up. One pair of fields for each batch costs
// nothing, whereas a line for each room would be most of the log.
const (
	LogBusiest        = "busiest"
	LogBusiestChanges = "busiestChanges"
)
