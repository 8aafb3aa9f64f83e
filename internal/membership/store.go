package membership

import (
	"context"

	"parley/internal/chat"
)

// Store stores memberships. The package storetest checks this contract; every implementation must
// pass it. All methods return an *chat.Error of kind Unavailable if the store cannot answer at the
// moment.
type Store interface {
	// Membership returns the current state of a membership, or the zero Membership if there is
	// none. A room that does not exist has no memberships.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
	// ChangeMembership applies a change if all memberships in it are still current. Otherwise it
	// changes nothing and ok is false.
	ChangeMembership(ctx context.Context, change Change) (ok bool, err error)
	// Members returns the people who are In a room, ordered by name and then by user. It returns at
	// most limit of them, after a position whose Sort is a name and whose ID is a user. At the end
	// of the list, next is the zero ListPosition.
	Members(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) (members []chat.Membership, next chat.ListPosition, err error)
	// RoomsOf returns the memberships of a person who is In the rooms, ordered by room. It returns
	// at most limit of them, after a position whose Sort is a room. At the end of the list, next is
	// the zero ListPosition.
	RoomsOf(ctx context.Context, user chat.UserID, after chat.ListPosition, limit int) (memberships []chat.Membership, next chat.ListPosition, err error)
}

// Change changes one membership into another. The zero Membership stands for none, so a zero After
// removes the membership.
type Change struct {
	Before, After chat.Membership
	// By is the membership of another person who makes the change, if any. It must still be current
	// when the change is applied.
	By chat.Membership
}
