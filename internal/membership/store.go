package membership

import (
	"context"

	"example.com/parley/internal/chat"
)

// Store stores memberships. Every implementation must pass the contract's tests in package
// storetest. All methods return an *chat.Error of kind Unavailable if the store cannot answer at
// the moment.
type Store interface {
	// Membership returns the current state of a membership, or the zero Membership if there is
	// none. A room that does not exist has no memberships.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
	// ChangeMembership applies a change, and stores its line, if all memberships in it are still
	// current. Otherwise it stores nothing and ok is false.
	ChangeMembership(ctx context.Context, change Change) (ok bool, err error)
	// HandOver applies the changes of two memberships of a room, and stores their lines, if both
	// are still current. Otherwise it stores nothing and ok is false.
	HandOver(ctx context.Context, from, to Change) (ok bool, err error)
	// EndMembership removes a membership without a line, if it is still current, and the other one
	// on which that depends too, unless that is zero. Otherwise it stores nothing and ok is false.
	EndMembership(ctx context.Context, before, by chat.Membership) (ok bool, err error)
	// GiveRoom makes a service the owner of a room that no service owns, without any membership. ok
	// is false if another service owns the room or the room is deleted. A repeated call may return
	// false.
	GiveRoom(ctx context.Context, room chat.RoomID, service chat.UserID) (ok bool, err error)
	// LeaveDirect stores that a person has left a direct room, before their membership ends. A
	// room without a record needs none.
	LeaveDirect(ctx context.Context, room chat.Room, user chat.UserID) error
	Lists
}

// Lists reads lists of memberships as stored, after a position and up to a limit. At the end of a
// list, next is the zero ListPosition.
type Lists interface {
	// Members returns the memberships of a room that are Listed, ordered by name and then by user.
	// The Sort of a position is a name and its ID is a user.
	Members(
		ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
	) (members []chat.Membership, next chat.ListPosition, err error)
	// Bans returns the bans of a room, ordered as Members. It includes bans that have ended, unless
	// another change followed.
	Bans(
		ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
	) (bans []chat.Membership, next chat.ListPosition, err error)
}

// Change changes one membership into another. The zero Membership means no membership, so a zero
// After removes it.
type Change struct {
	Before, After chat.Membership
	// By is another membership on which the change depends, if any: of the person who makes it, or
	// of the owner who remains when one leaves. It must still be current when the change is
	// applied.
	By chat.Membership
	// Direct is the direct room that the person leaves; the zero Room for every other change.
	Direct chat.Room
	// Owner is the change of the service that owns the room, or the service on which the change
	// depends. It is zero for every other change.
	Owner OwnerChange
	// About are the new system messages about the change.
	About []chat.Message
	// Line is the line about the change in the audit log of the room; nil for a change without one.
	Line Line
}

// OwnerChange changes the service that owns a room. The change of which it is a part is only
// applied while the service is still Before. An empty service stands for none.
type OwnerChange struct{ Before, After chat.UserID }

// Line is a line of an audit log that is not stored yet. An Auditor creates it, for the Store that
// adds it in the transaction of a change.
type Line = any

// Auditor creates lines of audit logs.
type Auditor interface {
	// AuditLine returns a line of a room's audit log. The log contains it once the change with the
	// line is applied.
	AuditLine(ctx context.Context, room chat.RoomID, e chat.AuditEvent) (Line, error)
}
