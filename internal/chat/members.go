package chat

import (
	"context"

	"parley/internal/policy"
)

// MemberOf identifies a person as a member of a room.
type MemberOf struct {
	Room RoomID
	User UserID
}

// SetMember gives a person a role in a room. Callers may join a room themselves, with the role of a
// member. To set another person's role, the caller must be a moderator. If the change involves
// moderators or owners, the caller must be an owner. The result added reports whether the person
// had no membership before, or only that of a person who has left.
//
// The error is NotFound if the room is unknown or hidden, and Forbidden if the caller's role does
// not allow the change. It is Conflict if an owner would change their own role.
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
			m, err = c.afterJoining(role)
		} else {
			m, err = c.afterRoleChange(role)
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

// RemoveMember ends a membership. Callers may leave a room themselves; to remove another person
// they need the role that SetMember requires. A mute stays in effect after the membership ends. A
// banned person cannot leave, but a moderator lifts the ban by removing the person.
//
// The error is as for SetMember. It is also NotFound if the person is not a member.
func (s *Service) RemoveMember(ctx context.Context, caller UserID, of MemberOf) error {
	err := s.changeMember(ctx, caller, of, func(c memberChange) (Membership, error) {
		if caller == of.User {
			return c.afterLeaving(), c.checkLeaving()
		}
		if c.before.Room == "" || c.before.Left {
			return Membership{}, errNoMember()
		}
		if !policy.MayChange(c.actor.Role, c.role, policy.Stranger) {
			return Membership{}, errNotAllowed()
		}
		return c.afterLeaving(), nil
	})
	if err == nil && caller != of.User {
		s.audit.Audit(ctx, of.Room, AuditEvent{By: caller, Action: "member.removed", On: of.User})
	}
	return err
}

// memberChange is the state in which a change of a membership is decided.
type memberChange struct {
	actor  Access      // of the caller
	before Membership  // of the person; zero if there is none
	role   policy.Role // of the person
}

// changeMember reads the current state, lets change decide, and writes the result if the state is
// still the same. Otherwise it starts over. Everyone who sees a room may try to change their own
// membership; policy.MayChangeOwn decides.
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

// afterJoining returns the membership of a person who joins. That is a member, or the former
// membership if it limits or exceeds that role.
func (c memberChange) afterJoining(role policy.Role) (Membership, error) {
	m := c.before
	switch {
	case m.Room != "" && !m.Left && (role == c.role || role == policy.Member && c.role == policy.Moderator):
		return m, nil // has the role already, or a higher one
	case m.Left && role == policy.Member:
		m.Left = false // comes back and is still muted
		return m, nil
	}
	m.Role = role
	return m, c.checkOwnChange(role)
}

// afterRoleChange returns the membership of a person to whom another person gives a role.
func (c memberChange) afterRoleChange(role policy.Role) (Membership, error) {
	if !policy.MayChange(c.actor.Role, c.role, role) {
		return Membership{}, errNotAllowed()
	}
	m := c.before
	m.Role, m.Left = role, false
	return m, nil
}

// checkLeaving returns an error if the person may not leave the room.
func (c memberChange) checkLeaving() error {
	if c.role == policy.Stranger || c.before.Left {
		return errNoMember()
	}
	return c.checkOwnChange(policy.Stranger)
}

// checkOwnChange returns an error if the person may not change their own role to role.
func (c memberChange) checkOwnChange(role policy.Role) error {
	switch {
	case policy.MayChangeOwn(c.role, role):
		return nil
	case c.role == policy.Owner:
		return errOwnRole()
	}
	return errNotAllowed()
}

// afterLeaving returns the remainder of a membership that ends: a mute, or nothing.
func (c memberChange) afterLeaving() Membership {
	if c.before.Role != policy.Muted {
		return Membership{}
	}
	m := c.before
	m.Left = true
	return m
}

// Members lists the members of a room by name. The error is as for Authorize and PageRequest.Read.
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

// Memberships lists the caller's memberships by room, including private rooms. The error is
// Forbidden for another person's memberships, because they would reveal hidden rooms.
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
