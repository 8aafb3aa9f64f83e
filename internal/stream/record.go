package stream

import (
	"strings"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Record is the meaning of a record of the table's stream.
type Record struct {
	Room       chat.RoomID // the room of Change and Row; empty if unknown
	Change     feed.StreamChange
	InFeed     bool   // Change enters the feed of the room
	Generation string // of the stream, in the form of GenerationOf
	Sequence   string // the record's sequence number in the stream
	EventID    string
	// Row is set for a row that enters no feed, and is only for projections. Change then has no
	// type.
	Row  *feed.RowChange
	Join *feed.Join // set for a membership that a system message reports
	// Err is why the record could not be read. Change is then an UnknownChange, unless Row is
	// set.
	Err error
	// Personal are changes for the connections of individual people.
	Personal []feed.PersonalChange
	// Deleted is the room that was deleted, Banned the person banned from a room, and Suspended a
	// person who was or still is suspended. They are zero for other records.
	Deleted   chat.RoomID
	Banned    chat.MemberOf
	Suspended chat.UserID
	// Erasure is the step of a person's erasure to make now; zero for other records.
	Erasure account.ErasureStep
}

// addTo adds to a batch everything of a record for consumers except its feed entry.
func (r Record) addTo(b *feed.Batch) {
	b.Personal = append(b.Personal, r.Personal...)
	if r.Deleted != "" {
		b.Deleted = append(b.Deleted, r.Deleted)
	}
	if r.Banned != (chat.MemberOf{}) {
		b.Banned = append(b.Banned, r.Banned)
	}
	if r.Suspended != "" {
		b.Suspended = append(b.Suspended, r.Suspended)
	}
}

// failed returns the failure of a record that cannot be read or appended.
func (r Record) failed(err error) Failure {
	return Failure{Room: r.Room, Key: r.Change.Key, Sequence: r.Sequence, EventID: r.EventID, Reason: err.Error()}
}

// GenerationOf returns the label in a stream's ARN, which is the time at which the stream was
// enabled. A restored table has another label, as does a table whose stream was disabled and
// enabled again. A later label sorts after an earlier one.
func GenerationOf(arn string) string {
	_, label, _ := strings.Cut(arn, "/stream/")
	return label
}
