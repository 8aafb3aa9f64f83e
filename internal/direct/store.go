package direct

import (
	"context"

	"example.com/parley/internal/chat"
)

// Store stores the records of direct rooms together with the rooms.
type Store interface {
	// DirectRoom returns the record of the room of these people, who must be in order; found is
	// false if there is none.
	DirectRoom(ctx context.Context, people []chat.UserID) (record Record, found bool, err error)
	// CreateDirectRoom stores a new room with its record and its members, in one transaction. If
	// the people of room.Direct have a record, it changes nothing and created is false.
	CreateDirectRoom(ctx context.Context, room chat.Room, members []chat.Membership) (created bool, err error)
	// RejoinDirectRoom makes people members again, and empties Away, in one transaction. If the
	// record or a membership is no longer as before, it changes nothing and ok is false.
	RejoinDirectRoom(ctx context.Context, before Record, back []Return) (ok bool, err error)
	// Membership is as in chat.MemberStore.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
}

// Record records that some people have a direct room. There is at most one record for the same
// people, so they have at most one room.
type Record struct {
	// Room is the room as everyone in it sees it. Its settings never change.
	Room chat.Room
	// Away are the people who have left the room.
	Away []chat.UserID
	// Revision counts the changes of Away.
	Revision int
}

// Return is a change that makes a person a member again. Before is the remainder of the former
// membership, usually the zero Membership.
type Return struct {
	Before, After chat.Membership
}
