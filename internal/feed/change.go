package feed

import (
	"slices"
	"time"

	"example.com/parley/internal/chat"
)

// Change is one entry of a room's feed: a reference to what changed, never its contents.
type Change struct {
	Type     ChangeType
	Message  chat.MessageID // of a message's change
	Revision int            // of the message, after the change; of its tally in CountsChanged
	// Thread is the root of a created reply's thread. ShowInRoom reports whether the room lists the
	// reply.
	Thread     chat.MessageID
	ShowInRoom bool
	Pinned     bool        // of a message that was pinned or unpinned
	User       chat.UserID // the person whose membership changed
	Key        string      // of an unknown change: its item's sort key, at most MaxChangeKey bytes
	// Origin distinguishes changes without a revision, which are the changes of items other than
	// messages.
	Origin uint64
	// Opaque holds the stored bytes of a framed change that this version cannot read: the complete
	// payload of an unknown type, or the bytes behind the known fields of a known type.
	Opaque string
}

// ChangeOf returns the latest change of a message.
func ChangeOf(m chat.Message) Change {
	c := Change{Type: MessageEdited, Message: m.ID, Revision: m.Revision}
	switch {
	case m.Revision == 1 && m.IsReply():
		c.Type, c.Thread, c.ShowInRoom = ReplyCreated, m.Thread, m.ShowInRoom
	case m.Revision == 1 && m.System != nil:
		c.Type = SystemCreated
	case m.Revision == 1:
		c.Type = MessageCreated
	case m.Deleted():
		c.Type = MessageDeleted
	}
	return c
}

// CreatesInRoom reports whether c creates a message that the room lists and counts.
func (c Change) CreatesInRoom() bool {
	return c.Type == MessageCreated || c.Type == ReplyCreated && c.ShowInRoom
}

// CountsChangeOf returns the change that gave a message its current tally.
func CountsChangeOf(m chat.Message) Change {
	return Change{Type: CountsChanged, Message: m.ID, Revision: m.Tally.Version}
}

// Identity returns a value that is equal for two changes exactly when they are the same change. It
// uses only stored fields, so a change that was read from a feed equals the one that was appended.
func (c Change) Identity() Change {
	switch {
	case c.Type.OfMessage():
		return Change{Message: c.Message, Revision: c.Revision}
	case c.Type < FirstFramedChange:
		return Change{Type: c.Type, Origin: c.Origin}
	case c.Message != (chat.MessageID{}):
		return Change{Type: c.Type, Message: c.Message, Revision: c.Revision}
	case c.Origin != 0:
		return Change{Type: c.Type, Origin: c.Origin}
	}
	return Change{Type: c.Type, User: c.User, Opaque: c.Opaque}
}

// ChangedItem is a changed item in the state after the change. At most one item is set. None is
// set for a removed item or an unknown change.
type ChangedItem struct {
	Message *chat.Message
	Shard   int // of Message, from 1
	// Mentioned lists whom Message mentioned before the change; empty for a new message.
	Mentioned chat.Mentions
	Member    *chat.Membership
	// Room holds only the room's metadata, without its posting rule and digest key.
	Room *chat.Room
}

// ChangeType is the kind of a change. Its number is stored.
type ChangeType int

// The types of changes.
const (
	MessageCreated ChangeType = iota + 1
	MessageEdited
	MessageDeleted
	// MemberChanged reports that a person joined, left, or received another role.
	MemberChanged
	// RoomChanged reports that a room was created or that its settings changed.
	RoomChanged
	// UnknownChange replaces a change that could not be read. Its Key names the item.
	UnknownChange
	// ReplyCreated reports that a reply was posted, whether or not the room lists it. Edits and
	// deletions of replies are MessageEdited and MessageDeleted.
	ReplyCreated
	// CountsChanged reports that a message's tally changed. Its Revision is the tally's version.
	CountsChanged
)

// PinsChanged reports that a message was pinned or unpinned. Its Revision is the number of the
// change among the changes of the room's pins.
const PinsChanged ChangeType = 9

// SystemCreated reports a new system message, which the room lists and does not count.
const SystemCreated ChangeType = 10

// FirstFramedChange is the first type whose stored entry carries its own length. Code that does not
// know the type can therefore skip the entry. Entries of lower types have no length.
const FirstFramedChange ChangeType = 7

// Carries is the kind of contents in the entry of a change.
type Carries int

// The contents of entries.
const (
	CarriesNothing Carries = iota // only the Origin
	CarriesUser                   // User and Origin
	CarriesMessage                // Message and Revision
	CarriesKey                    // Key and Origin
	CarriesReply                  // Message, Revision, Thread and ShowInRoom
	CarriesPin                    // Message, Revision of the pins, and Pinned
)

// ChangeKind is one row of a ChangeTable.
type ChangeKind struct {
	Type    ChangeType
	Name    string // in the API
	Carries Carries
}

// ChangeTable lists the types of changes that a reader or a writer of feeds knows. Encoder,
// decoder and the names in the API derive from it. Codecs receive it as an argument, so that tests
// can combine an older reader with a newer writer.
type ChangeTable []ChangeKind

// changeTable is the table of this version. A number is never reused, and the entry of a type may
// grow only at its end. Types from FirstFramedChange on are added only here.
var changeTable = ChangeTable{
	{MessageCreated, "message.created", CarriesMessage},
	{MessageEdited, "message.edited", CarriesMessage},
	{MessageDeleted, "message.deleted", CarriesMessage},
	{MemberChanged, "member.changed", CarriesUser},
	{RoomChanged, "room.changed", CarriesNothing},
	{UnknownChange, "unknown", CarriesKey},
	{ReplyCreated, "reply.created", CarriesReply},
	{CountsChanged, "counts.changed", CarriesMessage},
	{PinsChanged, "pins.changed", CarriesPin},
	{SystemCreated, "message.created", CarriesMessage},
}

// KnownChanges returns the table of this version.
func KnownChanges() ChangeTable { return slices.Clone(changeTable) }

// Kind returns the row of a type. ok is false if the table does not have the type.
func (t ChangeTable) Kind(of ChangeType) (kind ChangeKind, ok bool) {
	for _, kind := range t {
		if kind.Type == of {
			return kind, true
		}
	}
	return ChangeKind{}, false
}

// kind returns the row of a type, or UnknownChange's row if this version does not know the type.
func (t ChangeType) kind() ChangeKind {
	kind, ok := changeTable.Kind(t)
	if !ok {
		kind, _ = changeTable.Kind(UnknownChange)
	}
	return kind
}

// String returns the type's name in the API. It is "unknown" for a type that this version does not
// know.
func (t ChangeType) String() string { return t.kind().Name }

// Carries returns the kind of contents that a change of this type has.
func (t ChangeType) Carries() Carries { return t.kind().Carries }

// Valid reports whether this version knows the type.
func (t ChangeType) Valid() bool {
	_, ok := changeTable.Kind(t)
	return ok
}

// OfMessage reports whether a change of this type is a revision of a message.
func (t ChangeType) OfMessage() bool {
	return t >= MessageCreated && t <= MessageDeleted || t == ReplyCreated || t == SystemCreated
}

// HasMessage reports whether entries with these contents name a message.
func (c Carries) HasMessage() bool { return c.ShowsMessage() || c == CarriesPin }

// ShowsMessage reports whether readers of such an entry are shown the current message.
func (c Carries) ShowsMessage() bool { return c == CarriesMessage || c == CarriesReply }

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

// Merged is a change that has no number of its own. The entry of a later change of the same
// subject stands for it, since readers of an entry see the subject's current state.
type Merged struct {
	Into int // the index of the entry in Changes
	// Mark distinguishes the change from others of its subject: its Revision if it names a
	// message, and its Origin otherwise.
	Mark uint64
}

// subject returns what a change is about, if a later change of the same subject can replace it. ok
// is false for changes of messages and for changes that this version cannot read, which always
// have their own entry.
func (c Change) subject() (of Change, ok bool) {
	switch c.Type {
	case MemberChanged:
		return Change{Type: c.Type, User: c.User}, true
	case RoomChanged:
		return Change{Type: c.Type}, true
	case CountsChanged, PinsChanged:
		return Change{Type: c.Type, Message: c.Message}, true
	}
	return Change{}, false
}

// Merge divides changes into those that have their own entry, and the others. kept holds the
// indexes of the former, in their order. The last change of a subject is kept, and stands for the
// changes before it.
func Merge(changes []Change) (kept []int, merged []Merged) {
	entries := map[Change]int{} // the index of each subject in kept, from the end
	for i, c := range slices.Backward(changes) {
		of, merges := c.subject()
		if at, later := entries[of]; merges && later {
			merged = append(merged, Merged{Into: at, Mark: c.mark()})
			continue
		}
		if merges {
			entries[of] = len(kept)
		}
		kept = append(kept, i)
	}
	slices.Reverse(kept)
	slices.Reverse(merged)
	for i := range merged {
		merged[i].Into = len(kept) - 1 - merged[i].Into
	}
	return kept, merged
}

// mark returns the Mark of c.
func (c Change) mark() uint64 {
	if c.Type.Carries().HasMessage() {
		return uint64(c.Revision) //nolint:gosec // a revision is positive
	}
	return c.Origin
}

// withMark returns another change of the same subject.
func (c Change) withMark(mark uint64) Change {
	if c.Type.Carries().HasMessage() {
		c.Revision = int(mark) //nolint:gosec // the inverse of mark
	} else {
		c.Origin = mark
	}
	return c
}

// Identities returns the identities of all changes of s with their numbers. A merged change has no
// number, which is given as 0. Identities leaves out changes merged into a change that this
// version cannot read.
func (s Segment) Identities() map[Change]int64 {
	all := make(map[Change]int64, len(s.Changes)+len(s.Merged))
	for i, c := range s.Changes {
		all[c.Identity()] = s.First + int64(i)
	}
	for _, m := range s.Merged {
		if c := s.Changes[m.Into]; c.Type.Valid() {
			all[c.withMark(m.Mark).Identity()] = 0
		}
	}
	return all
}
