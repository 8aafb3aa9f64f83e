package feedbatch

import "parley/internal/chat"

// PersonalType is the kind of a personal change, as clients see it.
type PersonalType string

// The kinds of personal changes.
const (
	ReadChanged PersonalType = "read.changed" // of Room, up to Read
	// ThreadChanged is the change of the thread of Message in Room: of Following, or of Read.
	ThreadChanged PersonalType = "thread.changed"
	RoomAdded     PersonalType = "room.added"    // the person is in Room now
	RoomRemoved   PersonalType = "room.removed"  // and no longer
	BlockChanged  PersonalType = "block.changed" // of Other
	// ReactionChanged is of Message in Room: the person reacts with Emoji, or no longer; see Mine.
	ReactionChanged PersonalType = "reaction.changed"
	// MentionAdded is of Message in Room, by the change Seq of its feed.
	MentionAdded PersonalType = "mention.added"
)

// Personal is a change that reaches the connections of one person, on all their devices. It enters
// no feed, and is delivered at most a few times: a batch that is retried delivers it again.
type Personal struct {
	Type      PersonalType
	User      chat.UserID // who receives it
	Room      chat.RoomID
	Read      int64
	Message   chat.MessageID
	Following bool
	Seq       int64
	Other     chat.UserID
	Blocked   bool   // Other
	Emoji     string // the key of package emoji
	Mine      bool   // the person reacts with Emoji now
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
	// Suspended are the people who were suspended, and some who are so still.
	Suspended []chat.UserID
}

// Empty reports whether there is nothing to consume.
func (b Batch) Empty() bool {
	return len(b.Rooms)+len(b.Personal)+len(b.Deleted)+len(b.Banned)+len(b.Suspended) == 0
}
