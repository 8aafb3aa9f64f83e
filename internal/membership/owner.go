package membership

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// otherOwner returns the membership, as stored, of an owner of the room other than of.User. If the
// first MaxOwnerSearch members include none, it returns the zero Membership. The list may lag, so
// an owner of the last second may be missed.
func (s *Service) otherOwner(ctx context.Context, of chat.MemberOf) (chat.Membership, error) {
	after, now := chat.ListPosition{}, s.clock()
	for range MaxOwnerSearch / chat.MaxLimit {
		members, next, err := s.store.Members(ctx, of.Room, after, chat.MaxLimit)
		if err != nil {
			return chat.Membership{}, err
		}
		for _, m := range members {
			if m.At(now).Role != policy.Owner || m.User == of.User {
				continue
			}
			current, err := s.store.Membership(ctx, of.Room, m.User)
			if effective := current.At(now); err != nil || effective.Room != "" && effective.Role == policy.Owner {
				return current, err
			}
		}
		if after = next; next == (chat.ListPosition{}) {
			break
		}
	}
	return chat.Membership{}, nil
}

// HandOver makes a member the owner of a room. The caller, an owner, becomes a moderator in the
// same transaction. A repeated call by the former owner changes nothing.
//
// A service that owns the room no longer does afterwards. A service that acts for an owner may also
// name itself: then it owns the room.
//
// The error is NotFound if the room is unknown or hidden, and Forbidden if the caller is not an
// owner. It is Conflict if the user is not in the room, or if another service owns it, and Invalid
// if the user is the caller.
func (s *Service) HandOver(ctx context.Context, caller chat.UserID, of chat.MemberOf) (chat.Membership, error) {
	if caller == of.User {
		return chat.Membership{}, chat.Invalidf("user", "must be another person")
	}
	for range chat.MaxChangeTries {
		a, err := s.rooms.Authorize(ctx, caller, of.Room, policy.Administer)
		if err != nil {
			return s.handedOver(ctx, caller, of, err)
		}
		if chat.ServiceOf(ctx) == of.User {
			if m, ok, err := s.giveToService(ctx, a, of); ok || err != nil {
				return m, err
			}
			continue
		}
		stored, err := s.store.Membership(ctx, of.Room, of.User)
		if err != nil {
			return chat.Membership{}, err
		}
		m := stored.At(s.clock())
		switch {
		case a.Role == policy.Moderator && m.In() && m.Role == policy.Owner:
			return m, nil // a retry
		case a.Role != policy.Owner:
			return chat.Membership{}, chat.NotAllowed()
		case !m.In():
			return chat.Membership{}, chat.Conflictf("only a member can become the owner; add them to the room first")
		}
		m = Restriction{Role: policy.Owner}.given(m)
		to := Change{Before: stored, After: m}
		if a.Room.OwnedByService(ctx, caller) {
			to.Owner.Before = caller
		}
		if to.Line, err = s.line(ctx, caller, of, decision{action: "owner.changed"}); err != nil {
			return chat.Membership{}, err
		}
		ok, err := s.handOver(ctx, a, to)
		if ok && to.Owner.Before != "" {
			s.rooms.Forget(of.Room)
			err = s.live.RemoveUser(ctx, of.Room, caller) // a connection of the service
		}
		if ok || err != nil {
			return m, err
		}
	}
	return chat.Membership{}, chat.TooBusy()
}

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
