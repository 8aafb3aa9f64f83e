package feed

import (
	"time"

	"example.com/parley/internal/chat"
)

// PersonalType is the kind of a personal change, as clients see it.
type PersonalType string

// The kinds of personal changes.
const (
	ReadChanged PersonalType = "read.changed" // of Room, up to Read
	// ThreadChanged reports that Following or Read changed for the thread of Message in Room.
	ThreadChanged PersonalType = "thread.changed"
	RoomAdded     PersonalType = "room.added"    // the person joined Room
	RoomRemoved   PersonalType = "room.removed"  // the person left Room
	BlockChanged  PersonalType = "block.changed" // of Other
	// ReactionChanged is about Message in Room: the person added or removed Emoji as a reaction;
	// see Mine.
	ReactionChanged PersonalType = "reaction.changed"
	// PollChanged is about Message in Room: the person's vote is now Choices, empty if it was
	// withdrawn.
	PollChanged PersonalType = "poll.changed"
	// NotificationsChanged reports that the person has changed their notification settings.
	NotificationsChanged PersonalType = "notifications.changed"
	// PreferencesChanged reports the person's preferences about Room: Favorite, Muted, Level and
	// Until.
	PreferencesChanged PersonalType = "preferences.changed"
	// MentionAdded is about Message in Room, from the change Seq of its feed.
	MentionAdded PersonalType = "mention.added"
	// MessageAdded is about Message in the direct room Room, from the change Seq of its feed. If
	// several are created together, only the newest is reported.
	MessageAdded PersonalType = "message.added"
)

// PersonalChange is a change that is sent to one person's connections, on all their devices. It is
// not in any feed. A retried batch delivers it again, so it may arrive a few times.
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
	Mine      bool         // whether the person now reacts with Emoji
	Choices   chat.Choices // of the person's vote
	Favorite  bool
	Muted     bool
	Level     string    // a name of notify.Level
	Until     time.Time // Level ends then; zero means no end
}
