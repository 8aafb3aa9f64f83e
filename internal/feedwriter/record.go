package feedwriter

import (
	"strings"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Change is a change to append.
type Change struct {
	feed.Change
	// Created is the time of the change by the stream's clock, in whole seconds. It is zero if
	// unknown.
	Created time.Time
	// Item is the changed item as in the stream's record. It is not stored in the feed.
	Item feed.ChangedItem
}

// Record is a record of the table's stream that is for a feed.
type Record struct {
	Room       chat.RoomID // empty if it is unknown
	Change     Change
	Generation string // as GenerationOf returns it for the stream
	Sequence   string // the record's sequence number in the stream
	EventID    string
	Err        error // the reason why the record could not be read; its change is then unknown
}

// failed returns the failure of a record that cannot be read or appended.
func (r Record) failed(err error) Failure {
	return Failure{Room: r.Room, Key: r.Change.Key, Sequence: r.Sequence, EventID: r.EventID, Reason: err.Error()}
}

// GenerationOf returns the label in a stream's ARN, which is the time at which the stream was
// enabled. A restored table has another label, and so has a table whose stream was disabled and
// enabled again.
func GenerationOf(arn string) string {
	_, label, _ := strings.Cut(arn, "/stream/")
	return label
}
