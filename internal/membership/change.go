package membership

import (
	"cmp"
	"context"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// memberChange is the state on which the decision about a membership change depends.
type memberChange struct {
	actor  chat.Access     // of the caller
	before chat.Membership // of the person, in effect now; zero if there is none
	role   policy.Role     // the role of the person
	adds   bool            // a service adds the person, regardless of the caller's role
	now    time.Time
	heir   chat.Membership // another owner, when an owner leaves; zero if there is none
	joining
}

// decision is the outcome for a membership. If it has an action, the audit has a line about it.
type decision struct {
	after          chat.Membership
	action, detail string
}

// joining is the data from elsewhere that a new membership contains.
type joining struct {
	name  string // of the person
	count int64  // of the messages of the room
	full  error  // as for CheckJoin, if the person is the caller and may need it
}

// joining concurrently reads what a new membership may need. It does not depend on whether the
// caller may know about the room.
func (s *Service) joining(ctx context.Context, caller chat.UserID, of chat.MemberOf) (j joining, err error) {
	var nameErr, countErr error
	var all sync.WaitGroup
	all.Go(func() { j.name, nameErr = s.names.NameOf(ctx, of.User) })
	all.Go(func() { j.count, countErr = s.counts.MessageCount(ctx, of.Room) })
	if caller == of.User {
		all.Go(func() { j.full = s.rooms.CheckJoin(ctx, caller, of.User) })
	}
	all.Wait()
	return j, cmp.Or(nameErr, countErr)
}

// changeMember reads the current state, lets change decide, and writes the result if the state is
// still the same. Otherwise it starts over. to is the wanted role; a Stranger's ends the
// membership.
func (s *Service) changeMember(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, to policy.Role,
	change func(memberChange) (decision, error),
) error {
	for range chat.MaxChangeTries {
		var j joining
		var joinErr error
		var joining sync.WaitGroup
		if to != policy.Stranger {
			joining.Go(func() { j, joinErr = s.joining(ctx, caller, of) })
		}
		a, byService, err := s.authorize(ctx, caller, of, to)
		joining.Wait()
		if err = cmp.Or(err, joinErr); err != nil {
			return err
		}
		mc := Change{Before: a.Membership}
		if caller != of.User {
			if !byService {
				mc.By = a.Membership
			}
			if mc.Before, err = s.store.Membership(ctx, of.Room, of.User); err != nil {
				return err
			}
		}
		now := chat.ServerTime(s.clock())
		c := memberChange{
			actor: a, before: mc.Before.At(now), role: mc.Before.RoleIn(a.Room, now), adds: byService, now: now,
			joining: j,
		}
		if caller == of.User && to == policy.Stranger && c.role == policy.Owner {
			if a.Room.Service != "" {
				mc.Owner = OwnerChange{a.Room.Service, a.Room.Service}
			} else if c.heir, err = s.otherOwner(ctx, of); err != nil {
				return err
			}
			mc.By = c.heir
		}
		d, err := change(c)
		if mc.After = d.after; err != nil || mc.Before == mc.After {
			return err
		}
		if to != policy.Stranger && !c.before.In() && mc.After.In() {
			if err := s.checkRooms(ctx, caller, of, j); err != nil {
				return err
			}
		}
		if a.Room.Direct != nil && !mc.After.In() {
			mc.Direct = a.Room
		}
		if a.Room.Announces(ctx) && !a.Room.Archived && c.before.In() && !mc.After.In() {
			mc.About = []chat.Message{chat.LeaveMessage(caller, c.before, now)}
		}
		if ok, err := s.apply(ctx, caller, of, mc, d); ok || err != nil {
			return err
		}
	}
	return chat.TooBusy()
}

// apply writes a change with its audit line, unless a membership in it has changed.
func (s *Service) apply(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, mc Change, d decision,
) (ok bool, err error) {
	if mc.Line, err = s.line(ctx, caller, of, d); err != nil {
		return false, err
	}
	ok, err = s.store.ChangeMembership(ctx, mc)
	s.cached.Delete(of.Room)
	return ok, err
}

// line returns the audit line for a decision, or nil if it has none.
func (s *Service) line(ctx context.Context, caller chat.UserID, of chat.MemberOf, d decision) (Line, error) {
	if d.action == "" {
		return nil, nil
	}
	return s.audit.AuditLine(ctx, of.Room, chat.AuditEvent{By: caller, Action: d.action, On: of.User, Detail: d.detail})
}

// checkRooms returns an error if a person who is about to join is in too many rooms.
func (s *Service) checkRooms(ctx context.Context, caller chat.UserID, of chat.MemberOf, j joining) error {
	if caller == of.User {
		return j.full
	}
	return s.rooms.CheckJoin(ctx, caller, of.User)
}

// authorize returns the caller's access for a change of a membership to a role. byService is true
// if the caller may not make the change, but a service that acts for them may. Everyone who sees a
// room may try to change their own membership; policy.MayChangeOwn decides.
func (s *Service) authorize(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, to policy.Role,
) (a chat.Access, byService bool, err error) {
	action := policy.Administer
	switch {
	case caller == of.User && to == policy.Stranger:
		action = policy.See
	case caller == of.User:
		action = policy.Join
	}
	a, err = s.rooms.Authorize(ctx, caller, of.Room, action)
	kind := chat.KindOf(err)
	if chat.ServiceOf(ctx) == "" || to != policy.Member || kind != chat.NotFound && kind != chat.Forbidden {
		return a, false, err
	}
	a, err = s.rooms.Authorize(ctx, caller, of.Room, policy.Add)
	return a, true, err
}

// afterJoining returns the membership of a person who joins: a member's, or the former membership
// if it limits or exceeds that role.
func (c memberChange) afterJoining(role policy.Role) (chat.Membership, error) {
	m := c.before
	switch {
	case m.Room != "" && !m.Left && (role == c.role || role == policy.Member && c.role == policy.Moderator):
		return m, nil // already has the role or a higher one
	case m.Left && role == policy.Member:
		return m.Joined(), nil // still muted
	}
	m.Role = role
	return m, c.checkOwnChange(role)
}

// afterRoleChange returns the membership of a person to whom another person gives a role.
func (c memberChange) afterRoleChange(given Restriction) (chat.Membership, error) {
	may := policy.MayChange(c.actor.Role, c.role, given.Role)
	if c.adds {
		may = policy.MayAdd(c.role, given.Role)
	}
	switch {
	case !may:
		return chat.Membership{}, chat.NotAllowed()
	case given.Role >= policy.Moderator && !c.before.In():
		return chat.Membership{}, errPromotesStranger()
	}
	after := given.given(c.before)
	after.Left = c.actor.Room.Private && after.MutesStranger()
	return after, nil
}

// checkLifting returns an error if the actor may not give the person their former role.
func (c memberChange) checkLifting() error {
	former := c.before.Lifted()
	if !policy.MayChange(c.actor.Role, c.role, former.RoleIn(c.actor.Room, c.now)) {
		return chat.NotAllowed()
	}
	return nil
}

// checkLeaving returns an error if the person may not leave the room.
func (c memberChange) checkLeaving() error {
	if c.role == policy.Stranger || c.before.Left {
		return errNoMember()
	}
	switch {
	case c.role != policy.Owner:
		return c.checkOwnChange(policy.Stranger)
	case c.heir.Room == "" && c.actor.Room.Service == "":
		return errLastOwner()
	}
	return nil
}

// checkOwnChange returns an error if the person may not change their own role to role.
func (c memberChange) checkOwnChange(role policy.Role) error {
	switch {
	case policy.MayChangeOwn(c.role, role):
		return nil
	case c.role == policy.Owner:
		return errOwnRole()
	}
	return chat.NotAllowed()
}

// afterLeaving returns the remainder of an ended membership: a mute, or nothing.
func (c memberChange) afterLeaving() chat.Membership {
	if c.before.Role != policy.Muted {
		return chat.Membership{}
	}
	m := c.before
	m.Left = true
	return m
}

// Erase ends the membership of a person who is deleted, with their ban or mute. It reports false if
// they have no membership state. Nobody authorizes it, and it stores no audit line. If the person
// is the room's only owner, the room becomes the given service's.
func (s *Service) Erase(ctx context.Context, of chat.MemberOf, service chat.UserID) (ended bool, err error) {
	for range chat.MaxChangeTries {
		before, err := s.store.Membership(ctx, of.Room, of.User)
		if err != nil || before.Room == "" {
			return false, err
		}
		heir, ready, err := s.prepare(ctx, before, service)
		if err != nil {
			return false, err
		}
		if !ready {
			continue
		}
		if ok, err := s.store.EndMembership(ctx, before, heir); ok || err != nil {
			return ok, err
		}
	}
	return false, chat.TooBusy()
}

// prepare makes the changes of a room that precede the end of a membership. They are no part of its
// transaction, in which no role could be confined to their attributes, but may be repeated. It
// returns another owner on whom the end depends, if any. ready is false if the room has changed
// meanwhile. A deleted room needs nothing.
func (s *Service) prepare(
	ctx context.Context, m chat.Membership, service chat.UserID,
) (heir chat.Membership, ready bool, err error) {
	room, err := s.rooms.CurrentRoom(ctx, m.Room)
	if chat.KindOf(err) == chat.NotFound {
		return heir, true, nil
	}
	if err == nil && room.Direct != nil {
		err = s.store.LeaveDirect(ctx, room, m.User)
	}
	if err != nil || m.At(s.clock()).Role != policy.Owner || room.Service != "" {
		return heir, true, err
	}
	heir, err = s.otherOwner(ctx, chat.MemberOf{Room: m.Room, User: m.User})
	if err != nil || heir.Room != "" {
		return heir, true, err
	}
	ready, err = s.store.GiveRoom(ctx, m.Room, service)
	return heir, ready, err
}
