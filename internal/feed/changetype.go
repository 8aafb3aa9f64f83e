package feed

import "slices"

// ChangeType is the kind of a change. Its number is stored.
type ChangeType int

// The types of changes.
const (
	MessageCreated ChangeType = iota + 1
	MessageEdited
	MessageDeleted
	// MemberChanged is of a person who joined, left, or has another role.
	MemberChanged
	// RoomChanged is of a room that was created or whose settings changed.
	RoomChanged
	// UnknownChange stands for a change that could not be read. Its Key names the item.
	UnknownChange
)

// FirstFramedChange is the first type whose stored entry carries its own length, so that code that
// does not know the type reads past it. Types below it were stored before there were lengths.
const FirstFramedChange ChangeType = 7

// Carries is what the entry of a change holds.
type Carries int

// The contents of entries.
const (
	CarriesNothing Carries = iota // but the change's Origin
	CarriesUser                   // and the change's Origin
	CarriesMessage                // with its revision
	CarriesKey                    // and the change's Origin
)

// ChangeKind is one row of a ChangeTable.
type ChangeKind struct {
	Type    ChangeType
	Name    string // in the API
	Carries Carries
}

// ChangeTable lists the types of changes that a reader or a writer of feeds knows. Encoder, decoder
// and the names in the API derive from it. Codecs take it as an argument, so that tests can put an
// older reader beside a newer writer.
type ChangeTable []ChangeKind

// changeTable is the one table of this version. A number is never used again, and the entry of a
// type may only grow at its end. A type from FirstFramedChange on is added here alone.
var changeTable = ChangeTable{
	{MessageCreated, "message.created", CarriesMessage},
	{MessageEdited, "message.edited", CarriesMessage},
	{MessageDeleted, "message.deleted", CarriesMessage},
	{MemberChanged, "member.changed", CarriesUser},
	{RoomChanged, "room.changed", CarriesNothing},
	{UnknownChange, "unknown", CarriesKey},
}

// KnownChanges returns the table of this version.
func KnownChanges() ChangeTable { return slices.Clone(changeTable) }

// Kind returns the row of a type. ok is false for a type that the table does not have.
func (t ChangeTable) Kind(of ChangeType) (kind ChangeKind, ok bool) {
	for _, kind := range t {
		if kind.Type == of {
			return kind, true
		}
	}
	return ChangeKind{}, false
}

// kind returns the row of a type. A type that this version does not know is an unknown change.
func (t ChangeType) kind() ChangeKind {
	kind, ok := changeTable.Kind(t)
	if !ok {
		kind, _ = changeTable.Kind(UnknownChange)
	}
	return kind
}

// String returns the type's name in the API.
func (t ChangeType) String() string { return t.kind().Name }

// Carries returns what a change of this type holds.
func (t ChangeType) Carries() Carries { return t.kind().Carries }

// Valid reports whether this version knows the type.
func (t ChangeType) Valid() bool {
	_, ok := changeTable.Kind(t)
	return ok
}

// OfMessage reports whether a change of this type is a revision of a message.
func (t ChangeType) OfMessage() bool { return t >= MessageCreated && t <= MessageDeleted }
