package live

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Memberships reads memberships, by consistent reads.
type Memberships interface {
	// Membership returns the zero Membership if there is none.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
}

// MemberAuthorizer authorizes readers only by their memberships where these suffice: members may
// read a room whatever its settings are. That saves a read for each room of a hello. It asks
// another Authorizer about everyone else. An authorized room may be deleted, which the head of its
// feed shows.
type MemberAuthorizer struct {
	memberships Memberships
	rooms       chat.Authorizer
	clock       func() time.Time
}

// NewMemberAuthorizer returns an authorizer.
func NewMemberAuthorizer(memberships Memberships, rooms chat.Authorizer, clock func() time.Time) *MemberAuthorizer {
	return &MemberAuthorizer{memberships: memberships, rooms: rooms, clock: clock}
}

// Authorize implements chat.Authorizer. The access of a reading member has no room.
func (r *MemberAuthorizer) Authorize(
	ctx context.Context, caller chat.UserID, room chat.RoomID, action policy.Action,
) (chat.Access, error) {
	if action != policy.Read {
		return r.rooms.Authorize(ctx, caller, room, action)
	}
	m, err := r.memberships.Membership(ctx, room, caller)
	if err != nil {
		return chat.Access{}, err
	}
	// No room is more restricted than a private one.
	role := m.RoleIn(chat.Room{Private: true}, r.clock())
	if policy.Decide(role, policy.Room{Private: true}, action) == policy.Allow {
		return chat.Access{Membership: m, Role: role}, nil
	}
	return r.rooms.Authorize(ctx, caller, room, action)
}
