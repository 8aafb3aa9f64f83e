package model

import (
	"context"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

// maxInvites is the number of live invitations that the service promises as a room's limit.
const maxInvites = 50

// invitation is an invitation with its token.
type invitation struct {
	invite.Invitation
	token string
}

// createInvite creates an invitation for a few people, and lists its room's invitations.
func (w *world) createInvite() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Administer)
	d := invite.Draft{
		Role: oneOf(w, policy.Member, policy.Member, policy.Moderator), MaxUses: 1 + w.rand.IntN(2),
		Expires: w.clock.now().Add(time.Duration(2+w.rand.IntN(3600)) * time.Second).UTC().Truncate(time.Second),
	}
	w.note("%s creates an invitation of a %s to %s", caller, d.Role, in)
	denied := w.model.mayInvite(caller, in, d.Role)
	got, token, err := w.service(in).Invites.Create(w.ctx, caller, in, d)
	var want invite.Invitation
	if denied == (refusal{}) {
		want = invite.Invitation{Room: in, Role: d.Role, CreatedBy: caller, CreatedAt: w.model.now(), Expires: d.Expires, MaxUses: d.MaxUses}
		want.ID = invite.IDOf(token)
		w.model.invites = append(w.model.invites, &invitation{want, token})
	}
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got}); err != nil {
		return err
	}
	return w.listInvites(in)
}

// listInvites compares the live invitations of a room.
func (w *world) listInvites(in chat.RoomID) error {
	caller := w.randomUser(in, policy.Audit)
	_, denied := w.model.enter(caller, in, policy.Audit)
	var want []invite.Invitation
	if denied == (refusal{}) {
		want = w.model.liveInvites(in)
	}
	got, err := paged(1+w.rand.IntN(9), func(p chat.PageRequest) (chat.Page[invite.Invitation], error) {
		return w.service(in).Invites.Invitations(w.ctx, caller, in, p)
	})
	byID := func(a, b invite.Invitation) int { return strings.Compare(string(a.ID), string(b.ID)) }
	slices.SortFunc(want, byID)
	slices.SortFunc(got, byID)
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// useInvite lets somebody use an invitation that was created before, in any state, and lists its
// room's invitations.
func (w *world) useInvite() error {
	if len(w.model.invites) == 0 {
		return nil
	}
	i := oneOf(w, w.model.invites[max(0, len(w.model.invites)-20):]...)
	caller := oneOf(w, people...)
	w.note("%s uses an invitation to %s", caller, i.Room)
	joined, denied := w.model.useInvite(caller, i)
	var want chat.Membership
	if denied == (refusal{}) {
		want = w.model.rooms[i.Room].shownMember(caller)
	}
	got, gotJoined, err := w.service(i.Room).Invites.Use(w.ctx, caller, i.token)
	if err := w.agree(answer{denied, want, joined}, answer{refusalOf(err), got, gotJoined}); err != nil {
		return err
	}
	return w.listInvites(i.Room) // shows the uses
}

func (w *world) revokeInvite() error {
	if len(w.model.invites) == 0 {
		return nil
	}
	i := oneOf(w, w.model.invites...)
	caller := w.randomUser(i.Room, policy.Administer)
	w.note("%s revokes an invitation to %s", caller, i.Room)
	_, denied := w.model.enter(caller, i.Room, policy.Administer)
	if denied == (refusal{}) {
		i.Revoked = true
	}
	err := w.service(i.Room).Invites.Revoke(w.ctx, caller, i.Room, i.ID)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// mayInvite returns the refusal of a new invitation, if any.
func (m *model) mayInvite(caller chat.UserID, in chat.RoomID, role policy.Role) refusal {
	r, denied := m.enter(caller, in, policy.Administer)
	switch {
	case denied != (refusal{}):
		return denied
	case !policy.MayChange(r.role(caller), policy.Stranger, role):
		return refused(chat.Forbidden)
	case len(m.liveInvites(in)) >= maxInvites:
		return refused(chat.Conflict)
	}
	return refusal{}
}

func (m *model) liveInvites(in chat.RoomID) []invite.Invitation {
	var live []invite.Invitation
	for _, i := range m.invites {
		if i.Room == in && !i.Revoked && m.now().Before(i.Expires) && i.Uses < i.MaxUses {
			live = append(live, i.Invitation)
		}
	}
	return live
}

// useInvite lets a person in, unless something speaks against it.
func (m *model) useInvite(caller chat.UserID, i *invitation) (joined bool, denied refusal) {
	r := m.rooms[i.Room]
	switch {
	case r == nil, i.Revoked, !m.now().Before(i.Expires):
		return false, refused(chat.NotFound)
	case r.isMember(caller):
		return false, refusal{}
	case r.role(caller) == policy.Banned, r.settings.Archived, i.Uses == i.MaxUses, !policy.MayChange(r.role(i.CreatedBy), policy.Stranger, i.Role):
		return false, refused(chat.NotFound)
	}
	i.Uses++
	after := member{role: i.Role, since: m.now()}
	if before := r.member(caller); before != nil {
		after = *before
	}
	after = after.joined()
	after.by, after.count = "", r.createdCount()
	m.putMember(r, caller, &after)
	return true, refusal{}
}

// uncountedUses is a store with a fault: a person comes in, and the use is not counted.
type uncountedUses struct{ store }

func (b uncountedUses) UseInvitation(ctx context.Context, _ invite.Invitation, person invite.Admission) (bool, error) {
	return b.ChangeMembership(ctx, membership.Change{Before: person.Before, After: person.After})
}
