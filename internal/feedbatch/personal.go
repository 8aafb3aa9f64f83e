package feedbatch

import "parley/internal/chat"

// PersonalType is the kind of a personal change, as clients see it.
type PersonalType string

// The kinds of personal changes.
const (
	ReadChanged  PersonalType = "read.changed"  // of Room, up to Read
	RoomAdded    PersonalType = "room.added"    // the person is in Room now
	RoomRemoved  PersonalType = "room.removed"  // and no longer
	BlockChanged PersonalType = "block.changed" // of Other
)

// Personal is a change that reaches the connections of one person, on all their devices. It enters
// no feed, and is delivered at most a few times: a batch that is retried delivers it again.
type Personal struct {
	Type    PersonalType
	User    chat.UserID // who receives it
	Room    chat.RoomID
	Read    int64
	Other   chat.UserID
	Blocked bool // Other
}

// Batch is what a batch of the stream has for consumers.
type Batch struct {
	// Rooms has one Appended for each room with new entries.
	Rooms    []Appended
	Personal []Personal // in the order of their records
	// Deleted are the rooms that were deleted.
	Deleted []chat.RoomID
	// Banned are the people who were banned from rooms, members or not: a public room has readers
	// who never joined.
	Banned []chat.MemberOf
}

// Empty reports whether there is nothing to consume.
func (b Batch) Empty() bool { return len(b.Rooms)+len(b.Personal)+len(b.Deleted)+len(b.Banned) == 0 }
