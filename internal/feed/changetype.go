package feed

import "slices"

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
