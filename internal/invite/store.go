package invite

import (
	"context"

	"example.com/parley/internal/chat"
)

// Store stores invitations. Every implementation must pass the contract's tests in package
// storetest. All methods return an *chat.Error of kind Unavailable if the store cannot answer at
// the moment.
type Store interface {
	// CreateInvitation stores a new invitation, unless its room has limit live ones when it is
	// created. In that case it changes nothing and created is false.
	CreateInvitation(ctx context.Context, i Invitation, limit int) (created bool, err error)
	// Invitation returns the current state of an invitation; found is false if there is none.
	Invitation(ctx context.Context, id ID) (i Invitation, found bool, err error)
	// RevokeInvitation revokes an invitation. If it is already revoked, RevokeInvitation changes
	// nothing and revoked is false.
	RevokeInvitation(ctx context.Context, i Invitation) (revoked bool, err error)
	// UseInvitation counts a use of an invitation and changes the membership of a person, in one
	// transaction. If the invitation has no uses left or is revoked, or if the membership has
	// changed, it changes nothing and used is false.
	UseInvitation(ctx context.Context, i Invitation, person Admission) (used bool, err error)
	// Invitations returns the invitations of a room that are not revoked, newest first. They may be
	// used up or expired. The Sort of a position is a time, and its ID is an invitation.
	Invitations(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) (page []Invitation, next chat.ListPosition, err error)
	// Membership is as in chat.MemberStore.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
}

// Admission is the change by which a person becomes a member. Before is the remainder of a former
// membership, usually the zero Membership.
type Admission struct {
	Before, After chat.Membership
}
