package invite

import (
	"cmp"
	"context"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// nowhere is a room that does not exist. An unknown invitation is checked against it, with the same
// calls to the store as any other.
const nowhere = chat.RoomID("p-00000000000000000000")

// Use makes the caller a member of the room of the invitation with a token, with its role. A mute
// stays in effect. If the caller is already in the room, Use changes nothing, even if the
// invitation is used up. So a retry consumes only one use. The result joined reports whether the
// caller joined.
//
// The error is NotFound if the invitation does not admit the caller, for any reason. It is
// unknown, expired, revoked or used up; its creator is suspended or may no longer give the role;
// its room is deleted or archived; or the caller is banned. All cases look the same.
func (s *Service) Use(
	ctx context.Context, caller chat.UserID, token string,
) (m chat.Membership, joined bool, err error) {
	id := IDOf(token)
	for range chat.MaxChangeTries {
		now := s.clock()
		v, err := s.visit(ctx, caller, id)
		if err != nil {
			return chat.Membership{}, false, err
		}
		in := v.before.At(now)
		switch {
		case !v.found || !v.Open(now):
			return chat.Membership{}, false, errDead()
		case in.In():
			return in, false, nil
		case !v.admits(now):
			return chat.Membership{}, false, errDead()
		}
		if m, err = s.admitted(ctx, caller, v.Invitation, in); err != nil {
			return chat.Membership{}, false, err
		}
		if v.room.Announces(ctx) {
			m.Announce = v.room.JoinSender("")
		}
		used, err := s.store.Use(ctx, v.Invitation, Admission{Before: v.before, After: m})
		if err != nil {
			return chat.Membership{}, false, err
		}
		if used {
			s.audit.Audit(ctx, m.Room, chat.AuditEvent{
				By: caller, Action: "invite.used", On: v.CreatedBy, Detail: string(id) + ": " + m.Role.String(),
			})
			return m, true, nil
		}
	}
	return chat.Membership{}, false, chat.TooBusy()
}

// Look returns the live invitation with a token, and its room, to a person who is not known. The
// error is NotFound if it admits nobody, for any reason, and all cases look the same. It costs a
// read unit if there is no such invitation, and otherwise up to six with the room, its creator's
// membership and account.
func (s *Service) Look(ctx context.Context, token string) (Invitation, chat.Room, error) {
	i, found, err := s.store.Invitation(ctx, IDOf(token))
	if err != nil {
		return Invitation{}, chat.Room{}, err
	}
	if !found {
		return Invitation{}, chat.Room{}, errDead()
	}
	v, err := s.reach(ctx, i.CreatedBy, visit{Invitation: i, found: true})
	if err != nil {
		return Invitation{}, chat.Room{}, err
	}
	if !v.admits(s.clock()) {
		return Invitation{}, chat.Room{}, errDead()
	}
	return i, v.room, nil
}

// visit is the state on which the use of an invitation depends.
type visit struct {
	Invitation
	found   bool
	enters  bool            // the room and the person's role permit joining
	room    chat.Room       // if the person may join
	before  chat.Membership // of the person, as stored
	creator chat.Membership
	// suspended reports whether the creator is suspended.
	suspended bool
}

// visit reads the invitation, and then everything that it depends on, concurrently. The calls are
// the same whether or not the invitation exists.
func (s *Service) visit(ctx context.Context, caller chat.UserID, id ID) (visit, error) {
	i, found, err := s.store.Invitation(ctx, id)
	if err != nil {
		return visit{}, err
	}
	v := visit{Invitation: i, found: found}
	if !found {
		v.Room, v.CreatedBy = nowhere, caller
	}
	return s.reach(ctx, caller, v)
}

// reach reads what a person's use of an invitation depends on, concurrently.
func (s *Service) reach(ctx context.Context, caller chat.UserID, v visit) (visit, error) {
	var accessErr, creatorErr, accountErr error
	var access chat.Access
	var all sync.WaitGroup
	all.Go(func() { access, accessErr = s.rooms.Authorize(ctx, caller, v.Room, policy.Enter) })
	all.Go(func() { v.creator, creatorErr = s.members.Membership(ctx, v.Room, v.CreatedBy) })
	all.Go(func() { accountErr = s.accounts.CheckCurrent(ctx, v.CreatedBy) })
	all.Wait()
	if v.suspended = chat.KindOf(accountErr) == chat.Suspended; v.suspended {
		accountErr = nil
	}
	v.room, v.before = access.Room, access.Membership
	switch kind := chat.KindOf(accessErr); {
	case kind == chat.NotFound, kind == chat.Forbidden:
		return v, nil
	case accessErr != nil:
		return visit{}, accessErr
	}
	v.enters = true
	return v, cmp.Or(creatorErr, accountErr)
}

// admits reports whether the invitation admits a person who is not in the room.
func (v visit) admits(now time.Time) bool {
	return v.enters && !v.suspended && v.Live(now) && policy.MayChange(v.creatorRole(now), policy.Stranger, v.Role)
}

// creatorRole returns the role of the person who created the invitation, or of the service that
// owns the room.
func (v visit) creatorRole(now time.Time) policy.Role {
	if v.room.Service != "" && v.room.Service == v.CreatedBy {
		return policy.Owner
	}
	return v.creator.RoleIn(v.room, now)
}

// admitted returns the membership of a person who joins. A person who left while muted is still
// muted. The person joined by themselves, so nobody has added them.
func (s *Service) admitted(
	ctx context.Context, caller chat.UserID, i Invitation, in chat.Membership,
) (chat.Membership, error) {
	if err := s.rooms.CheckJoin(ctx, caller, caller); err != nil {
		return chat.Membership{}, err
	}
	var nameErr, countErr error
	var both sync.WaitGroup
	m := in
	if in.Room == "" {
		m = chat.Membership{Room: i.Room, User: caller, Role: i.Role, JoinedAt: chat.ServerTime(s.clock())}
	}
	m = m.Joined()
	m.By = ""
	both.Go(func() { m.Name, nameErr = s.names.NameOf(ctx, caller) })
	both.Go(func() { m.Count, countErr = s.counts.MessageCount(ctx, i.Room) })
	both.Wait()
	if nameErr != nil {
		return m, nameErr
	}
	return m, countErr
}

// errDead is the error for every invitation that does not admit the caller.
func errDead() error {
	return &chat.Error{Kind: chat.NotFound, Detail: "there is no such invitation, or it is no longer valid"}
}
