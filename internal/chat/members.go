package chat

import (
	"context"

	"parley/internal/policy"
)

// MemberOf is a person in a room.
type MemberOf struct {
	Room RoomID
	User UserID
}

// SetMember gives a person a role in a room. On oneself it is a join, with the role of a member; on
// others it takes a moderator, and an owner where moderators or owners
// are made or unmade. added tells whether the person was none of the room's before.
//
// NotFound when the room is unknown or hidden, Forbidden when the caller's
// role does not allow it.
func (s *Service) SetMember(ctx context.Context, caller UserID, of MemberOf, role policy.Role) (m Membership, added bool, err error) {
	name, err := s.names.NameOf(ctx, of.User)
	if err != nil {
		return Membership{}, false, err
	}
	count, err := s.feed.MessageCount(ctx, of.Room)
	if err != nil {
		return Membership{}, false, err
	}
	var before Membership
	err = s.changeMember(ctx, caller, of, func(c memberChange) (Membership, error) {
		before = c.before
		if caller == of.User {
			m, err = c.joined(role)
		} else {
			m, err = c.given(role)
		}
		added = c.before.Room == "" || c.before.Left
		if !c.before.In() && m.Role != policy.Banned {
			m.Count = count
		}
		if c.before.Room == "" {
			m.JoinedAt = s.now()
		}
		m.Room, m.User, m.Name = of.Room, of.User, name
		return m, err
	})
	if err == nil && caller != of.User && (added || before.Role != m.Role) {
		action := "member.role"
		if role == policy.Banned {
			action = "member.banned"
		}
		s.audit.Audit(ctx, of.Room, AuditEvent{By: caller, Action: action, On: of.User, Detail: role.String()})
	}
	return m, added, err
}

// RemoveMember ends a membership: on oneself it is a leave, on others it
// takes what SetMember takes. A mute outlives it; a ban cannot be left, and a moderator's removal
// lifts it.
func (s *Service) RemoveMember(ctx context.Context, caller UserID, of MemberOf) error {
	err := s.changeMember(ctx, caller, of, func(c memberChange) (Membership, error) {
		if caller == of.User {
			return c.gone(), c.mayLeave()
		}
		if c.before.Room == "" || c.before.Left {
			return Membership{}, errNoMember()
		}
		if !policy.MayChange(c.actor.Role, c.role, policy.Stranger) {
			return Membership{}, errNotAllowed()
		}
		return c.gone(), nil
	})
	if err == nil && caller != of.User {
		s.audit.Audit(ctx, of.Room, AuditEvent{By: caller, Action: "member.removed", On: of.User})
	}
	return err
}

// memberChange is how things are before a membership is changed.
type memberChange struct {
	actor  Access      // of the caller
	before Membership  // of the person; zero when there is none
	role   policy.Role // of the person
}

// changeMember reads how things are, lets change decide, and makes the change where nothing
// has moved meanwhile; otherwise it begins anew. Whoever sees a room may ask to change their own
// part in it; what of that is theirs to change, policy.MayChangeOwn says.
func (s *Service) changeMember(ctx context.Context, caller UserID, of MemberOf, change func(memberChange) (Membership, error)) error {
	action := policy.Administer
	if caller == of.User {
		action = policy.See
	}
	for range MaxChangeTries {
		a, err := s.decide(ctx, request{caller, of.Room, action}, s.freshRoom)
		if err != nil {
			return err
		}
		c := memberChange{actor: a, before: a.Membership}
		mc := MemberChange{}
		if caller != of.User {
			mc.By = a.Membership
			if c.before, err = s.store.Membership(ctx, of.Room, of.User); err != nil {
				return err
			}
		}
		c.role = roleOf(c.before, a.Room)
		mc.Before = c.before
		if mc.After, err = change(c); err != nil || mc.Before == mc.After {
			return err
		}
		if ok, err := s.store.ChangeMembership(ctx, mc); ok || err != nil {
			return err
		}
	}
	return TooBusy()
}

// joined is the membership of somebody who joins by themself: a member,
// or what they were and have to stay.
func (c memberChange) joined(role policy.Role) (Membership, error) {
	m := c.before
	switch {
	case m.Room != "" && !m.Left && (role == c.role || role == policy.Member && c.role == policy.Moderator):
		return m, nil // already that, or more
	case m.Left && role == policy.Member:
		m.Left = false // back, and as muted as they went
		return m, nil
	}
	m.Role = role
	return m, c.mayTurnInto(role)
}

// given is the membership of somebody to whom another gives a role.
func (c memberChange) given(role policy.Role) (Membership, error) {
	if !policy.MayChange(c.actor.Role, c.role, role) {
		return Membership{}, errNotAllowed()
	}
	m := c.before
	m.Role, m.Left = role, false
	return m, nil
}

func (c memberChange) mayLeave() error {
	if c.role == policy.Stranger || c.before.Left {
		return errNoMember()
	}
	return c.mayTurnInto(policy.Stranger)
}

// mayTurnInto refuses what is not one's own to change.
func (c memberChange) mayTurnInto(role policy.Role) error {
	switch {
	case policy.MayChangeOwn(c.role, role):
		return nil
	case c.role == policy.Owner:
		return errOwnRole()
	}
	return errNotAllowed()
}

// gone is what is kept of a membership that ends: a mute, or nothing.
func (c memberChange) gone() Membership {
	if c.before.Role != policy.Muted {
		return Membership{}
	}
	m := c.before
	m.Left = true
	return m
}

// Members lists the members of a room by name. NotFound when it is unknown or hidden.
func (s *Service) Members(ctx context.Context, caller UserID, id RoomID, page PageRequest) (Page[Membership], error) {
	scope := NewCursorScope("members").Text(string(id))
	after, err := page.After(scope, func(p ListPosition) bool {
		_, err := ParseUserID(p.ID)
		return err == nil
	})
	if err != nil {
		return Page[Membership]{}, err
	}
	if _, err := s.Authorize(ctx, caller, id, policy.See); err != nil {
		return Page[Membership]{}, err
	}
	members, next, err := s.store.Members(ctx, id, after, page.Limit)
	return Page[Membership]{Items: members, Next: next.Cursor(scope)}, err
}

// Memberships lists the caller's memberships by room, of private rooms too. Those of others are Forbidden: they
// would tell of rooms that are hidden.
func (s *Service) Memberships(ctx context.Context, caller, user UserID, page PageRequest) (Page[Membership], error) {
	if caller != user {
		return Page[Membership]{}, &Error{Kind: Forbidden, Detail: "you may list only your own rooms"}
	}
	scope := NewCursorScope("rooms of a person").Text(string(user))
	after, err := page.After(scope, func(p ListPosition) bool {
		_, err := ParseRoomID(p.Sort)
		return err == nil
	})
	if err != nil {
		return Page[Membership]{}, err
	}
	memberships, next, err := s.store.RoomsOf(ctx, user, after, page.Limit)
	return Page[Membership]{Items: memberships, Next: next.Cursor(scope)}, err
}

func errNotAllowed() error {
	return &Error{Kind: Forbidden, Detail: "your role in this room does not allow this"}
}

func errNoMember() error {
	return &Error{Kind: NotFound, Detail: "this room has no such member"}
}

func errOwnRole() error {
	return &Error{Kind: Conflict, Detail: "an owner cannot change their own role; another owner must, so that the room keeps one"}
}
