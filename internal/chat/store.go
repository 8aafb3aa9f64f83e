package chat

import (
	"context"
	"time"
)

// Store keeps rooms and messages. The package storetest is this contract
// as a suite; every store passes it.
//
// All methods return an *Error of kind Unavailable when the store cannot
// answer for now. Writes are durable when they return.
type Store interface {
	RoomStore
	MemberStore
	MessageStore
}

// RoomStore keeps rooms.
type RoomStore interface {
	// CreateRoom keeps a new room and its first member, whole or not at all. It
	// reports false, and changes nothing, when there is a room of that id.
	CreateRoom(ctx context.Context, room Room, owner Membership) (created bool, err error)
	// UpdateRoom replaces name, topic, place, posting and slow mode of a room whose Revision is
	// still before's. It reports false, and changes nothing, when it is not.
	UpdateRoom(ctx context.Context, before, after Room) (ok bool, err error)
	// Room returns the room as last written, or NotFound.
	Room(ctx context.Context, id RoomID) (Room, error)
	// RoomsAt returns the public rooms at a place and below it, by place and then by
	// id, at most limit of them after a position; no place means all. Those made within the
	// last second or so may be missing.
	RoomsAt(ctx context.Context, place []string, after ListPosition, limit int) (rooms []Room, next ListPosition, err error)
}

// MemberStore keeps what people are in rooms.
type MemberStore interface {
	// Membership returns a membership as last written, or the zero
	// Membership when there is none: also when there is no such room.
	Membership(ctx context.Context, room RoomID, user UserID) (Membership, error)
	// ChangeMembership makes a change where everything is still as it was
	// read. It reports false, and changes nothing, when it is not.
	ChangeMembership(ctx context.Context, change MemberChange) (ok bool, err error)
	// Lists return the zero ListPosition as next at their end.
	//
	// Members returns who is In a room, by name and then by user, at most limit of them
	// after a position whose Sort is a name and whose ID is a user.
	Members(ctx context.Context, room RoomID, after ListPosition, limit int) (members []Membership, next ListPosition, err error)
	// RoomsOf returns the rooms that a person is In, by room, at most limit of them after a
	// position whose Sort is a room.
	RoomsOf(ctx context.Context, user UserID, after ListPosition, limit int) (memberships []Membership, next ListPosition, err error)
	// TakeSlot lets a person send a message in a room in slow mode, at most one
	// every so often. It returns 0 when the message may be sent, also when it was let
	// through before, and otherwise how long to wait.
	TakeSlot(ctx context.Context, slot Slot) (wait time.Duration, err error)
}

// MemberChange turns one membership into another. The zero Membership is none: a
// zero After removes it.
type MemberChange struct {
	Before, After Membership
	// By is the membership of whoever makes the change, where that is
	// someone else: it must still be so when the change is made.
	By Membership
}

// Slot is a message that wants to be sent in slow mode.
type Slot struct {
	Room  RoomID
	ID    MessageID
	Now   time.Time
	Every time.Duration
}

// MessageStore keeps messages in rooms that exist.
type MessageStore interface {
	// PutMessage keeps m, at its first revision, unless its room has a message of that id. Either
	// way it returns the message that is kept; created tells which it was.
	// NotFound when there is no such room.
	PutMessage(ctx context.Context, m Message) (kept Message, created bool, err error)
	// Message returns one message as last written, or NotFound.
	Message(ctx context.Context, room RoomID, id MessageID) (Message, error)
	// Messages returns the first messages of a span, in order, none left out and none twice, and
	// whether the span goes on behind them. It returns at most span.Limit of them, fewer where they
	// would weigh over MaxPageBytes, at least one if there is any. What was written within the last
	// second or so may still be missing. NotFound when there is no such room.
	Messages(ctx context.Context, span MessageRange) (messages []Message, more bool, err error)
	// ReviseMessage turns before into after, its next revision, where the message is
	// still of before's revision. An edit keeps the new text as a version, the first one the
	// original too; a deletion takes the text out of the message and of every version: all or nothing.
	// Otherwise revised is false, nothing changes, and kept is what stands. NotFound when there
	// is no such message.
	ReviseMessage(ctx context.Context, before, after Message) (kept Message, revised bool, err error)
	// MessageVersions returns the version that newest names and those before it, newest
	// first, of a message that was edited: at most limit, fewer where they would weigh
	// over MaxPageBytes, at least one.
	MessageVersions(ctx context.Context, newest MessageVersion, limit int) (versions []MessageVersion, err error)
}
