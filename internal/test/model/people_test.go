package model

import (
	"cmp"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// member is what is known of somebody in a room.
type member struct {
	role  policy.Role
	left  bool // gone, and the mute remembered
	since time.Time
	count int64 // messages in the feed when they came
}

// role is what somebody counts as.
func (r *room) role(user chat.UserID) policy.Role {
	m := r.members[user]
	switch {
	case m == nil:
		return policy.Stranger
	case !m.left:
		return m.role
	case m.role == policy.Muted && !r.private:
		return policy.Muted // whoever was muted stays so where everyone may look in
	}
	return policy.Stranger
}

// present tells whether somebody is anything in the room, if only banned, and inside whether they are among
// those whom everyone sees there.
func (r *room) present(user chat.UserID) bool { return r.members[user] != nil && !r.members[user].left }

func (r *room) inside(user chat.UserID) bool {
	return r.present(user) && r.members[user].role != policy.Banned
}

func (r *room) shownMember(user chat.UserID) chat.Membership {
	m := r.members[user]
	return chat.Membership{
		Room: r.id, User: user, Name: string(user), Role: m.role, Left: m.left, JoinedAt: m.since, Count: m.count,
	}
}

// setMember gives somebody a role, or lets them join.
func (m *model) setMember(caller chat.UserID, of chat.MemberOf, role policy.Role) (added bool, no refusal) {
	action, decide := policy.Administer, mayGive
	if caller == of.User {
		action, decide = policy.See, mayJoin
	}
	r, no := m.enter(caller, of.Room, action)
	if no != (refusal{}) {
		return false, no
	}
	becomes, no := decide(r, caller, of.User, role)
	if no != (refusal{}) {
		return false, no
	}
	added = !r.present(of.User)
	was := r.members[of.User]
	if !added && was.role == becomes {
		return false, refusal{}
	}
	now := &member{role: becomes, since: m.now()}
	if was != nil {
		now.since, now.count = was.since, was.count
	}
	seen := r.inside(of.User)
	if !seen && becomes != policy.Banned {
		now.count = r.told()
	}
	r.members[of.User] = now
	if seen || r.inside(of.User) {
		m.happened(r, feed.Change{Type: feed.MemberChanged, User: of.User})
	}
	return added, refusal{}
}

// mayJoin is what somebody becomes who says themself what they want to be.
func mayJoin(r *room, user, _ chat.UserID, role policy.Role) (policy.Role, refusal) {
	is, inside := r.role(user), r.inside(user)
	switch {
	case inside && role == is, inside && role == policy.Member && is == policy.Moderator:
		return is, refusal{} // that already, or more
	case is == policy.Owner:
		return 0, refused(chat.Conflict) // a room always has an owner
	case inside, role != policy.Member:
		return 0, refused(chat.Forbidden)
	case is == policy.Muted:
		return policy.Muted, refusal{} // as they went
	}
	return policy.Member, refusal{}
}

// mayGive is what somebody becomes by another's word.
func mayGive(r *room, caller, user chat.UserID, role policy.Role) (policy.Role, refusal) {
	if !policy.MayChange(r.role(caller), r.role(user), role) {
		return 0, refused(chat.Forbidden)
	}
	return role, refusal{}
}

// removeMember lets somebody go.
func (m *model) removeMember(caller chat.UserID, of chat.MemberOf) refusal {
	action := policy.Administer
	if caller == of.User {
		action = policy.See
	}
	r, no := m.enter(caller, of.Room, action)
	switch {
	case no != (refusal{}):
		return no
	case caller == of.User && r.role(caller) == policy.Owner:
		return refused(chat.Conflict)
	case !r.present(of.User):
		return refused(chat.NotFound)
	case caller != of.User && !policy.MayChange(r.role(caller), r.role(of.User), policy.Stranger):
		return refused(chat.Forbidden)
	}
	seen := r.inside(of.User)
	if was := r.members[of.User]; was.role == policy.Muted {
		was.left = true
	} else {
		delete(r.members, of.User)
	}
	if seen {
		m.happened(r, feed.Change{Type: feed.MemberChanged, User: of.User})
	}
	return refusal{}
}

// shownMembers are all who are in a room, by name.
func (r *room) shownMembers() []chat.Membership {
	var all []chat.Membership
	for user := range r.members {
		if r.inside(user) {
			all = append(all, r.shownMember(user))
		}
	}
	slices.SortFunc(all, func(a, b chat.Membership) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// roomsOf are somebody's rooms and how far they have read there.
func (m *model) roomsOf(user chat.UserID) []feed.OwnRoom {
	var all []feed.OwnRoom
	for _, r := range m.rooms {
		if r.inside(user) {
			all = append(all, feed.OwnRoom{Membership: r.shownMember(user), Reading: r.reading(user)})
		}
	}
	slices.SortFunc(all, func(a, b feed.OwnRoom) int { return cmp.Compare(a.Membership.Room, b.Membership.Room) })
	return all
}

// putRoom makes a room or changes it.
func (m *model) putRoom(caller chat.UserID, id chat.RoomID, draft chat.RoomDraft) (made bool, no refusal) {
	r := m.rooms[id]
	if r == nil && !id.Private() {
		m.makeRoom(caller, &room{id: id, settings: settings{Name: string(id)}}, draft)
		return true, refusal{}
	}
	r, no = m.enter(caller, id, policy.Configure)
	switch {
	case no.Kind == chat.Forbidden && !id.Private():
		return false, refused(chat.Conflict) // to a stranger the id is simply taken
	case no != (refusal{}):
		return false, no
	case draft.Shards != nil && *draft.Shards != r.shards:
		return false, refused(chat.Conflict)
	}
	after := r.settings.with(draft)
	if same(after, r.settings) {
		return false, refusal{}
	}
	r.settings = after
	r.changed++
	m.happened(r, feed.Change{Type: feed.RoomChanged})
	return false, refusal{}
}

func (m *model) makeRoom(caller chat.UserID, r *room, draft chat.RoomDraft) {
	r.maker, r.madeAt, r.shards, r.settings = caller, m.now(), 1, r.settings.with(draft)
	if draft.Shards != nil {
		r.shards = *draft.Shards
	}
	r.members = map[chat.UserID]*member{caller: {role: policy.Owner, since: r.madeAt}}
	r.slots, r.marks = map[chat.UserID]time.Time{}, map[chat.UserID]mark{}
	m.rooms[r.id] = r
	m.happened(r, feed.Change{Type: feed.RoomChanged})
	m.happened(r, feed.Change{Type: feed.MemberChanged, User: caller})
}
