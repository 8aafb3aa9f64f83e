// Package membership manages who is in a room, and with which role. It lists the members of a room
// and the rooms of a person.
//
// Its rows and calls are in table and dynamo: rooms, direct rooms, invitations and imports write
// memberships in their transactions too.
package membership

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/expiring"
	"example.com/parley/internal/policy"
)

const (
	// MaxReason is the maximum length of the reason of a mute or ban in bytes: a sentence or two.
	MaxReason = 500
	// MaxRestriction is how far ahead a mute or ban may end. Longer restrictions need no end:
	// somebody lifts them.
	MaxRestriction = 366 * 24 * time.Hour
	// MaxCount bounds the number of members that a count returns. A count of MaxCount means this
	// many or more, and costs about 25 read units.
	MaxCount = 1000
	// CountAge is how long a process may use a count of a room's members.
	CountAge = time.Minute
	// MaxExact is the largest number of members that is counted anew for each caller, for a read
	// unit: a small room immediately shows who comes and goes.
	MaxExact = 50
	// MaxReceipts is the largest number of members in a room with receipts, where each sees how
	// far the others have read. In larger rooms nobody looks for one person, and a list would read
	// a marker for each.
	MaxReceipts = 50
	// MaxOwnerSearch is how many members, by name, are searched for another owner when an owner
	// leaves: about 25 read units. In a larger room the owner may have to hand over first.
	MaxOwnerSearch = 1000
)

// Service changes and lists memberships. It is safe for concurrent use.
type Service struct {
	store  Store
	rooms  *chat.Service
	audit  Auditor
	names  chat.Names
	counts chat.FeedPositions
	clock  func() time.Time
	cached *expiring.Cache[chat.RoomID, int] // the numbers of members
	live   Subscriptions
}

// Subscriptions ends the live delivery of rooms to people.
type Subscriptions interface {
	// RemoveUser ends the subscriptions of a person to a room, unless they may read it. Nothing
	// that is appended to the room's feed after the call is delivered to them.
	RemoveUser(ctx context.Context, room chat.RoomID, user chat.UserID) error
}

// Options are the settings of a Service. All are required.
type Options struct {
	Store  Store
	Rooms  *chat.Service
	Audit  Auditor
	Names  chat.Names
	Counts chat.FeedPositions
	Live   Subscriptions
	Clock  func() time.Time
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: o.Store, rooms: o.Rooms, audit: o.Audit, names: o.Names, counts: o.Counts, clock: o.Clock, live: o.Live,
		cached: expiring.NewCache[chat.RoomID, int](CountAge, o.Clock),
	}
}

// SetMember gives a person a role in a room. Callers may join a room themselves, with the role of
// a member. To set another person's role, the caller must be a moderator. If the change involves
// moderators or owners, the caller must be an owner. A service that acts for the caller may add a
// member to any room in which the person has no other role. The result added reports whether the
// person had no membership before, or only the remainder of one after leaving.
//
// The error is NotFound if the room is unknown or hidden, and Forbidden if the caller's role does
// not allow the change. It is Conflict if an owner would change their own role, if a person who is
// not in the room would become a moderator or an owner, and as for CheckJoin of chat.Service.
func (s *Service) SetMember(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, role policy.Role,
) (m chat.Membership, added bool, err error) {
	return s.setMember(ctx, caller, of, Restriction{Role: role})
}

func (s *Service) setMember(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, given Restriction,
) (m chat.Membership, added bool, err error) {
	err = s.changeMember(ctx, caller, of, given.Role, func(c memberChange) (decision, error) {
		if caller == of.User {
			m, err = c.afterJoining(given.Role)
		} else {
			m, err = c.afterRoleChange(given)
		}
		added = (c.before.Room == "" || c.before.Left) && !m.Left
		if !c.before.In() && m.Role != policy.Banned {
			m.Count = c.count
		}
		if c.before.Room == "" {
			m.JoinedAt = c.now
		}
		changed := added || c.before.Role != m.Role || !c.before.Until.Equal(m.Until) || c.before.Reason != m.Reason
		if !c.before.In() && changed {
			m.By = chat.AddedBy(caller, of.User)
		}
		m.Room, m.User, m.Name = of.Room, of.User, c.name
		if changed {
			m.Announce = ""
		}
		if added && m.Role >= policy.Member && c.actor.Room.Announces(ctx) {
			m.Announce = c.actor.Room.JoinSender(m.By)
		}
		d := decision{after: m}
		if changed {
			d.action, d.detail = given.action(caller == of.User), given.detail()
		}
		return d, err
	})
	if err == nil && (given.Role == policy.Banned || m.Left) {
		err = s.live.RemoveUser(ctx, of.Room, of.User) // even if already banned, by a call that ended midway
	}
	return m, added, err
}

// RemoveMember ends a membership. Callers may leave a room themselves; to remove another person
// they need the role that SetMember requires. A mute stays in effect after the membership ends.
//
// A banned person cannot leave. A moderator lifts the ban by removing the person, who then regains
// their former role. The caller must be allowed to give that role.
//
// The error is as for SetMember. It is also NotFound if the person is not a member.
func (s *Service) RemoveMember(ctx context.Context, caller chat.UserID, of chat.MemberOf) error {
	lifted, gone := false, false
	err := s.changeMember(ctx, caller, of, policy.Stranger, func(c memberChange) (decision, error) {
		lifted = false
		switch {
		case caller == of.User:
			return decision{after: c.afterLeaving(), action: "member.left"}, c.checkLeaving()
		case c.before.Room == "" || c.before.Left:
			gone = true
			return decision{}, errNoMember()
		case c.before.Role == policy.Banned:
			lifted = true
			return decision{after: c.before.Lifted(), action: "member.unbanned"}, c.checkLifting()
		case !policy.MayChange(c.actor.Role, c.role, policy.Stranger):
			return decision{}, chat.NotAllowed()
		}
		return decision{after: c.afterLeaving(), action: "member.removed"}, nil
	})
	// A retry may find that the person has left, by a call that ended midway.
	if err == nil && !lifted || gone || caller == of.User && chat.KindOf(err) == chat.NotFound {
		if err := s.live.RemoveUser(ctx, of.Room, of.User); err != nil {
			return err
		}
	}
	return err
}

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

	// The lists are read as stored, after a position and up to a limit. At the end of a list, next
	// is the zero ListPosition.

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
