package membership

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Member returns a person's membership in a room. Moderators and owners also see a ban, and so does
// the banned person. It consumes one read unit more than Authorize for another person than the
// caller.
//
// The error is as for Authorize. It is also NotFound if the person is not in the room.
func (s *Service) Member(ctx context.Context, caller chat.UserID, of chat.MemberOf) (chat.Membership, error) {
	a, err := s.rooms.Authorize(ctx, caller, of.Room, policy.See)
	m := a.Membership
	banned := caller == of.User && m.Room != "" && chat.KindOf(err) == chat.Forbidden
	if err != nil && !banned {
		return chat.Membership{}, err
	}
	if caller != of.User {
		if m, err = s.store.Membership(ctx, of.Room, of.User); err != nil {
			return chat.Membership{}, err
		}
	}
	m = m.At(s.clock())
	seesBan := m.Role == policy.Banned && m.Room != "" && (banned || a.Role >= policy.Moderator)
	if !m.In() && !seesBan {
		return chat.Membership{}, errNoMember()
	}
	return shown(m, caller, a.Role), nil
}

// shown returns a membership as a person with a role sees it: only moderators, owners and the
// person see a reason.
func shown(m chat.Membership, caller chat.UserID, role policy.Role) chat.Membership {
	if caller != m.User && role < policy.Moderator {
		m.Reason = ""
	}
	return m
}

// Members lists the members of a room by name. The error is as for Authorize and PageRequest.Read.
func (s *Service) Members(
	ctx context.Context, caller chat.UserID, id chat.RoomID, page chat.PageRequest,
) (chat.Page[chat.Membership], error) {
	members, _, err := s.MembersAndReceipts(ctx, caller, id, page)
	return members, err
}

// MembersAndReceipts is Members. It also reports whether the caller may see how far the members of
// the page have read. Only people in the room may: in direct rooms, and in rooms with receipts and
// at most MaxReceipts members. Counting the members costs one more query, unless the page has all.
func (s *Service) MembersAndReceipts(
	ctx context.Context, caller chat.UserID, id chat.RoomID, page chat.PageRequest,
) (members chat.Page[chat.Membership], receipts bool, err error) {
	list := roomList{scope: "members", action: policy.See, read: s.store.Members, has: chat.Membership.In}
	members, a, err := s.listInRoom(ctx, caller, id, page, list)
	switch n := len(members.Items); {
	case err != nil || a.Room.NoReceipts || !a.Membership.At(s.clock()).In():
		return members, false, err
	case a.Room.Direct != nil, page.Cursor == "" && members.Next == "" && n <= MaxReceipts:
		return members, true, nil
	case n > MaxReceipts:
		return members, false, nil
	}
	n, err := s.countTo(ctx, id, MaxReceipts+1)
	return members, n <= MaxReceipts, err
}

// Bans lists the people who are banned from a room, by name. The caller must be a moderator or an
// owner. The error is as for Authorize and PageRequest.Read.
func (s *Service) Bans(
	ctx context.Context, caller chat.UserID, id chat.RoomID, page chat.PageRequest,
) (chat.Page[chat.Membership], error) {
	banned := func(m chat.Membership) bool { return m.Room != "" && m.Role == policy.Banned }
	list := roomList{scope: "bans", action: policy.Audit, read: s.store.Bans, has: banned}
	bans, _, err := s.listInRoom(ctx, caller, id, page, list)
	return bans, err
}

// roomList is a list of people in a room.
type roomList struct {
	scope  string
	action policy.Action // required of the caller
	read   func(
		ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int,
	) ([]chat.Membership, chat.ListPosition, error)
	has func(chat.Membership) bool // reports whether the list has a membership that is in effect
}

func (s *Service) listInRoom(
	ctx context.Context, caller chat.UserID, id chat.RoomID, page chat.PageRequest, list roomList,
) (chat.Page[chat.Membership], chat.Access, error) {
	scope := chat.NewCursorScope(list.scope).Text(string(id))
	after, err := page.After(scope, func(p chat.ListPosition) bool {
		_, err := chat.StoredUserID(p.ID)
		return err == nil
	})
	if err != nil {
		return chat.Page[chat.Membership]{}, chat.Access{}, err
	}
	a, err := s.rooms.Authorize(ctx, caller, id, list.action)
	if err != nil {
		return chat.Page[chat.Membership]{}, chat.Access{}, err
	}
	members, next, err := s.effective(after, page.Limit, list.has, func(after chat.ListPosition, limit int) (
		[]chat.Membership, chat.ListPosition, error,
	) {
		return list.read(ctx, id, after, limit)
	})
	for i, m := range members {
		members[i] = shown(m, caller, a.Role)
	}
	return chat.Page[chat.Membership]{Items: members, Next: next.Cursor(scope)}, a, err
}

// effective reads up to limit memberships that are in effect now and belong to a list. It skips
// the rare others: temporary bans that have ended.
func (s *Service) effective(after chat.ListPosition, limit int, has func(chat.Membership) bool,
	read func(chat.ListPosition, int) ([]chat.Membership, chat.ListPosition, error),
) ([]chat.Membership, chat.ListPosition, error) {
	now := s.clock()
	var all []chat.Membership
	for {
		stored, next, err := read(after, limit-len(all))
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		for _, m := range stored {
			if m = m.At(now); has(m) {
				all = append(all, m)
			}
		}
		if after = next; len(all) == limit || next == (chat.ListPosition{}) {
			return all, next, nil
		}
	}
}

func errNoMember() error {
	return &chat.Error{Kind: chat.NotFound, Detail: "this room has no such member"}
}

func errPromotesStranger() error {
	return &chat.Error{
		Kind: chat.Conflict, Field: "role",
		Detail: "only a member can become a moderator or an owner; add them with the role member first",
	}
}

func errOwnRole() error {
	return &chat.Error{
		Kind: chat.Conflict, Field: "role",
		Detail: "owners do not change their own role; hand the room over, or ask another owner",
	}
}

// errLastOwner names a way out that is always open: owners may delete a room in every state.
func errLastOwner() error {
	return chat.Conflictf("the last owner cannot leave; hand the room over to a member, or delete it if nobody else " +
		"is there")
}

// Count returns the number of members of a room, at most MaxCount, at most CountAge old. Up to
// MaxExact, it is current. The caller must have authorized the reader. It consumes half a read
// unit for every 4 KB of memberships, and nothing if the number is in the cache.
func (s *Service) Count(ctx context.Context, room chat.RoomID) (int, error) {
	if n, ok := s.cached.Get(room); ok {
		return n, nil
	}
	asOf := s.clock()
	n, err := s.countTo(ctx, room, MaxCount)
	if err == nil && n > MaxExact {
		s.cached.Put(room, n, asOf)
	}
	return n, err
}

// countTo counts the members of a room up to a limit.
func (s *Service) countTo(ctx context.Context, room chat.RoomID, limit int) (int, error) {
	members, _, err := s.effective(chat.ListPosition{}, limit, chat.Membership.In, func(
		after chat.ListPosition, limit int,
	) ([]chat.Membership, chat.ListPosition, error) {
		return s.store.Members(ctx, room, after, limit)
	})
	return len(members), err
}
