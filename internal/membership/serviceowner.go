package membership

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// handOver makes a member an owner and the former owner a moderator, in one transaction. A service
// that owned the room keeps a role only if it is also a member.
func (s *Service) handOver(ctx context.Context, a chat.Access, to Change) (bool, error) {
	former := a.Membership.At(s.clock())
	if to.Owner.Before != "" && (!former.In() || former.Role != policy.Owner) {
		return s.store.ChangeMembership(ctx, to)
	}
	former.Role = policy.Moderator
	return s.store.HandOver(ctx, Change{Before: a.Membership, After: former}, to)
}

// handedOver returns the membership of an owner to a service that may not give the room away,
// because it may have done so before. Otherwise it returns the refusal.
func (s *Service) handedOver(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, refusal error,
) (chat.Membership, error) {
	kind := chat.KindOf(refusal)
	if !chat.IsService(ctx, caller) || kind != chat.NotFound && kind != chat.Forbidden {
		return chat.Membership{}, refusal
	}
	m, err := s.store.Membership(ctx, of.Room, of.User)
	if m = m.At(s.clock()); err == nil && (!m.In() || m.Role != policy.Owner) {
		return chat.Membership{}, refusal
	}
	return m, err
}

// giveToService gives a room to the service that acts for its owner, who becomes a moderator. It
// reports false if something has changed meanwhile. The service gets no membership; the one that it
// returns says that the service is an owner.
func (s *Service) giveToService(
	ctx context.Context, a chat.Access, of chat.MemberOf,
) (m chat.Membership, ok bool, err error) {
	now := chat.ServerTime(s.clock())
	m = chat.Membership{Room: of.Room, User: of.User, Name: string(of.User), Role: policy.Owner, JoinedAt: now}
	switch {
	case a.Role == policy.Moderator && a.Room.Service == of.User:
		return m, true, nil // a retry
	case a.Role != policy.Owner:
		return chat.Membership{}, false, chat.NotAllowed()
	case a.Room.Service != "" && a.Room.Service != of.User:
		return chat.Membership{}, false,
			chat.Conflictf("the room belongs to another service, which has to give it away first")
	}
	former := a.Membership.At(now)
	former.Role = policy.Moderator
	c := Change{Before: a.Membership, After: former, Owner: OwnerChange{a.Room.Service, of.User}}
	if c.Line, err = s.line(ctx, a.Membership.User, of, decision{action: "owner.changed"}); err != nil {
		return chat.Membership{}, false, err
	}
	ok, err = s.store.ChangeMembership(ctx, c)
	s.rooms.Forget(of.Room)
	return m, ok, err
}
