package feed

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
	// PollChanged is of Message in Room: the person's vote has Choices now, none if it was taken
	// back.
	PollChanged PersonalType = "poll.changed"
	// MentionAdded is of Message in Room, by the change Seq of its feed.
	MentionAdded PersonalType = "mention.added"
)

// PersonalChange is a change that reaches the connections of one person, on all their devices. It
// enters no feed, and is delivered at most a few times: a batch that is retried delivers it again.
type PersonalChange struct {
	Type      PersonalType
	User      chat.UserID // who receives it
	Room      chat.RoomID
	Read      int64
	Message   chat.MessageID
	Following bool
	Seq       int64
	Other     chat.UserID
	Blocked   bool         // Other
	Emoji     string       // the key of package emoji
	Mine      bool         // the person reacts with Emoji now
	Choices   chat.Choices // of the person's vote
}
