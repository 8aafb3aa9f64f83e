package feedwriter

import (
	"strings"

	"parley/internal/chat"
)

// Record is a record of the table's stream that is for a feed.
type Record struct {
	Room       chat.RoomID // empty if it is unknown
	Change     Change
	Generation string // of the stream, in the form of GenerationOf
	Sequence   string // the record's sequence number in the stream
	EventID    string
	// Row is set for a row that enters no feed, and is for duties alone. Change then has no type.
	Row *Row
	// Err is why the record could not be read. Change is then an UnknownChange, unless Row is set.
	Err error
}

// failed returns the failure of a record that cannot be read or appended.
func (r Record) failed(err error) Failure {
	return Failure{Room: r.Room, Key: r.Change.Key, Sequence: r.Sequence, EventID: r.EventID, Reason: err.Error()}
}

// GenerationOf returns the label in a stream's ARN, which is the time at which the stream was
// enabled. A restored table has another label, and so has a table whose stream was disabled and
// enabled again. A later label sorts after an earlier one.
func GenerationOf(arn string) string {
	_, label, _ := strings.Cut(arn, "/stream/")
	return label
}
