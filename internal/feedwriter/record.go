package feedwriter

import (
	"strings"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Change is a change to be appended.
type Change struct {
	feed.Change
	// Created is the time of the change by the stream, in whole seconds; zero when it is unknown.
	Created time.Time
	// Item is the changed item as the stream's record holds it. It is not stored in the feed.
	Item feed.ChangedItem
}

// Record is a record of the table's stream that enters a feed.
type Record struct {
	Room       chat.RoomID // empty when it is unknown
	Change     Change
	Generation string // as GenerationOf returns it for the stream
	Sequence   string // the record's number in its shard of the stream
	EventID    string
	Err        error // the reason why the record could not be read; its change is then unknown
}

// failed returns the failure of a record that cannot be entered.
func (r Record) failed(err error) Failure {
	return Failure{Room: r.Room, Key: r.Change.Key, Sequence: r.Sequence, EventID: r.EventID, Reason: err.Error()}
}

// GenerationOf returns the label of a stream, which is the time at which it was enabled. A restored
// table has another label, and so has a table whose stream was disabled for a while.
func GenerationOf(arn string) string {
	_, label, _ := strings.Cut(arn, "/stream/")
	return label
}
