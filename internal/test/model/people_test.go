package model

import (
	"cmp"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

// member is the membership of a user in a room.
type member struct {
	role  policy.Role
	left  bool // has left; the mute is remembered
	since time.Time
	count int64 // messages in the feed when the user joined
	// former is the role before a mute or ban, and by the person who added the user.
	former policy.Role
	by     chat.UserID
	// until is the end of a mute or ban, and reason the reason.
	until  time.Time
	reason string
}

// in reports whether the user is in the room.
func (m *member) in() bool { return m != nil && !m.left && m.role != policy.Banned }

// roleBefore returns the role before a mute or ban. Where none is remembered, a muted user was a
// member, and a banned one a stranger.
func (m *member) roleBefore() policy.Role {
	switch {
	case m.former != policy.Banned:
		return m.former
	case m.role == policy.Muted:
		return policy.Member
	}
	return policy.Stranger
}

// mutesStranger reports whether the user is muted for a time, and was not in the room before.
func (m *member) mutesStranger() bool {
	return m.role == policy.Muted && !m.until.IsZero() && m.former == policy.Stranger
}

// joined returns the membership of a user who comes back. A mute stays, and leaves a member.
func (m member) joined() member {
	m.left = false
	if m.role == policy.Muted && m.former == policy.Stranger {
		m.former = policy.Member
	}
	return m
}

// lifted returns the membership without its mute or ban; nil if none remains.
func (m *member) lifted() *member {
	role := m.roleBefore()
	if m.left || role == policy.Stranger {
		return nil
	}
	after := *m
	after.role, after.former, after.until, after.reason = role, policy.Banned, time.Time{}, ""
	return &after
}

// listed reports whether lists have the membership: the user is in the room, or will be when a ban
// ends.
func (m *member) listed() bool {
	return m.in() || m != nil && !m.until.IsZero() && m.lifted().in()
}

// member returns the membership that is in effect, or nil. A mute or ban that has ended is lifted.
func (r *room) member(user chat.UserID) *member {
	m := r.members[user]
	if m == nil || m.until.IsZero() || r.now().Before(m.until) {
		return m
	}
	return m.lifted()
}

// putMember replaces a membership, which nil removes. The feed has the change if lists had or have
// the membership.
func (m *model) putMember(r *room, user chat.UserID, after *member) {
	before := r.members[user]
	if before == after || before != nil && after != nil && *before == *after {
		return
	}
	if r.members[user] = after; after == nil {
		delete(r.members, user)
	}
	if before.listed() || after.listed() {
		m.emit(r, feed.Change{Type: feed.MemberChanged, User: user})
	}
}

// role returns the effective role of a user.
func (r *room) role(user chat.UserID) policy.Role {
	m := r.member(user)
	switch {
	case m == nil:
		return policy.Stranger
	case !m.left:
		return m.role
	case m.role == policy.Muted && !r.private:
		return policy.Muted // a mute outlasts the membership in a public room
	}
	return policy.Stranger
}

// hasRole reports whether a user has any role in the room, even banned.
func (r *room) hasRole(user chat.UserID) bool { return r.member(user) != nil && !r.member(user).left }

// isMember reports whether a user is a member that others see.
func (r *room) isMember(user chat.UserID) bool { return r.member(user).in() }

func (r *room) shownMember(user chat.UserID) chat.Membership {
	m := r.member(user)
	return chat.Membership{
		Room: r.id, User: user, Name: string(user), Role: m.role, Left: m.left, JoinedAt: m.since, Count: m.count, Restore: m.former, By: m.by,
		Until: m.until, Reason: m.reason,
	}
}

// setMember assigns a role to a user, with an end and a reason for a mute or ban, or lets the
// caller join.
func (m *model) setMember(caller chat.UserID, of chat.MemberOf, given membership.Restriction) (added bool, denied refusal) {
	if !given.Until.IsZero() && (!given.Until.After(m.now()) || given.Until.After(m.now().Add(maxRestriction))) {
		return false, refused(chat.Invalid)
	}
	action, resolve := policy.Administer, assignRole
	if caller == of.User {
		action, resolve = policy.Join, joinRole
	}
	r, denied := m.enter(caller, of.Room, action)
	if denied != (refusal{}) {
		return false, denied
	}
	newRole, denied := resolve(r, caller, of.User, given.Role)
	if denied != (refusal{}) {
		return false, denied
	}
	added = !r.hasRole(of.User)
	before := r.member(of.User)
	after := member{since: m.now()}
	if before != nil {
		after = *before
	}
	after.role = newRole
	if caller != of.User {
		after.former, after.until, after.reason = r.formerRole(of.User, newRole), given.Until, given.Reason
		after.left = r.private && after.mutesStranger()
		added = added && !after.left
	} else {
		if before == nil {
			after.former = policy.Banned
		}
		if after.left {
			after = after.joined()
		}
	}
	if !before.in() && newRole != policy.Banned {
		after.count = r.createdCount()
	}
	if changed := before == nil || *before != after; !before.in() && changed {
		after.by = ""
		if caller != of.User {
			after.by = caller
		}
	}
	m.putMember(r, of.User, &after)
	return added, refusal{}
}

// formerRole returns the role that a mute or ban remembers. A ban remembers a mute, and the mute of
// a banned person remembers what the ban did.
func (r *room) formerRole(user chat.UserID, newRole policy.Role) policy.Role {
	before := r.member(user)
	former := policy.Stranger
	switch {
	case newRole != policy.Muted && newRole != policy.Banned:
		return policy.Banned
	case before == nil, before.left:
	case before.role == newRole || before.role == policy.Banned:
		former = before.roleBefore()
	default:
		former = before.role
	}
	if newRole == policy.Muted && former == policy.Muted {
		return policy.Member
	}
	return former
}

// joinRole returns the role that a user gets by a request for themself.
func joinRole(r *room, user, _ chat.UserID, role policy.Role) (policy.Role, refusal) {
	current, isMember := r.role(user), r.isMember(user)
	switch {
	case isMember && role == current, isMember && role == policy.Member && current == policy.Moderator:
		return current, refusal{} // the user has that role or a higher one
	case current == policy.Owner:
		return 0, refused(chat.Conflict) // a room must keep its owner
	case isMember, role != policy.Member:
		return 0, refused(chat.Forbidden)
	case current == policy.Muted:
		return policy.Muted, refusal{} // the mute is kept
	}
	return policy.Member, refusal{}
}

// assignRole returns the role that a user gets by another user's request.
func assignRole(r *room, caller, user chat.UserID, role policy.Role) (policy.Role, refusal) {
	if !policy.MayChange(r.role(caller), r.role(user), role) {
		return 0, refused(chat.Forbidden)
	}
	if (role == policy.Moderator || role == policy.Owner) && !r.isMember(user) {
		return 0, refused(chat.Conflict)
	}
	return role, refusal{}
}

// removeMember removes a member.
func (m *model) removeMember(caller chat.UserID, of chat.MemberOf) refusal {
	action := policy.Administer
	if caller == of.User {
		action = policy.See
	}
	r, denied := m.enter(caller, of.Room, action)
	switch {
	case denied != (refusal{}):
		return denied
	case caller == of.User && r.role(caller) == policy.Owner && r.owners() == 1:
		return refused(chat.Conflict)
	case !r.hasRole(of.User):
		return refused(chat.NotFound)
	}
	before, to := r.member(of.User), policy.Stranger
	if before.role == policy.Banned {
		to = before.roleBefore() // lifts the ban
	}
	if caller != of.User && !policy.MayChange(r.role(caller), r.role(of.User), to) {
		return refused(chat.Forbidden)
	}
	if caller == of.User && before.role == policy.Banned {
		return refused(chat.Forbidden)
	}
	switch before.role {
	case policy.Muted:
		after := *before
		after.left = true
		m.putMember(r, of.User, &after)
	case policy.Banned:
		m.putMember(r, of.User, before.lifted())
	default:
		m.putMember(r, of.User, nil)
	}
	return refusal{}
}

// owners returns the number of the room's owners.
func (r *room) owners() int {
	n := 0
	for user := range r.members {
		if r.role(user) == policy.Owner {
			n++
		}
	}
	return n
}

// handOver makes a member the owner, and the caller a moderator.
func (m *model) handOver(caller chat.UserID, of chat.MemberOf) refusal {
	r, denied := m.enter(caller, of.Room, policy.Administer)
	switch {
	case caller == of.User:
		return refused(chat.Invalid)
	case denied != (refusal{}):
		return denied
	case r.role(caller) == policy.Moderator && r.role(of.User) == policy.Owner:
		return refusal{} // a retry
	case r.role(caller) != policy.Owner:
		return refused(chat.Forbidden)
	case !r.isMember(of.User):
		return refused(chat.Conflict)
	}
	former, owner := *r.member(caller), *r.member(of.User)
	former.role = policy.Moderator
	owner.role, owner.former, owner.until, owner.reason = policy.Owner, policy.Banned, time.Time{}, ""
	r.members[caller], r.members[of.User] = &former, &owner
	for _, user := range []chat.UserID{caller, of.User} { // an owner's membership is written again
		m.emit(r, feed.Change{Type: feed.MemberChanged, User: user})
	}
	return refusal{}
}

// shownMembers returns all members that clients see, by name.
func (r *room) shownMembers() []chat.Membership {
	var all []chat.Membership
	for user := range r.members {
		if r.isMember(user) {
			all = append(all, r.shownMember(user))
		}
	}
	slices.SortFunc(all, func(a, b chat.Membership) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// putRoom creates or changes a room.
func (m *model) putRoom(caller chat.UserID, id chat.RoomID, draft chat.RoomDraft) (created bool, denied refusal) {
	r := m.rooms[id]
	if r == nil && !id.Private() && draft.If != nil && !draft.If.Absent {
		return false, refused(chat.Stale)
	}
	if m.deleted[id] != nil && !id.Private() {
		return false, refused(chat.Conflict)
	}
	if r == nil && !id.Private() {
		m.createRoom(caller, &room{id: id, settings: settings{Name: string(id)}}, draft)
		return true, refusal{}
	}
	r, denied = m.enter(caller, id, policy.Configure)
	switch {
	case denied.Kind == chat.Forbidden && !id.Private() && !m.rooms[id].isMember(caller):
		return false, refused(chat.Conflict) // a stranger only learns that the id is taken
	case denied != (refusal{}):
		return false, denied
	}
	whole := settings{Name: string(id), Archived: r.settings.Archived}
	if id.Private() {
		whole.Name = r.settings.Name
	}
	return false, m.change(r, whole.with(draft), r.spread.with(draft), draft.If)
}

// patchRoom changes what a draft gives.
func (m *model) patchRoom(caller chat.UserID, id chat.RoomID, draft chat.RoomDraft) refusal {
	r, denied := m.enter(caller, id, policy.Configure)
	if denied != (refusal{}) {
		return denied
	}
	return m.change(r, r.settings.with(draft), r.spread.with(draft), draft.If)
}

// change gives a room other settings.
func (m *model) change(r *room, after settings, spread spread, p *chat.Precondition) refusal {
	unchanged := same(after, r.settings) && spread == r.spread
	switch {
	case p != nil && p.Absent:
		return refused(chat.Stale)
	case unchanged:
		return refusal{}
	case r.fails(p):
		return refused(chat.Stale)
	case p != nil && !p.Any && spread != r.spread:
		return refused(chat.Invalid)
	}
	if r.settings.Archived && after.Archived {
		return refused(chat.Forbidden)
	}
	r.spread = spread
	if same(after, r.settings) {
		return refusal{} // no news to the room's people
	}
	r.settings = after
	r.revision++
	m.emit(r, feed.Change{Type: feed.RoomChanged})
	return refusal{}
}

func (m *model) createRoom(caller chat.UserID, r *room, draft chat.RoomDraft) {
	r.createdBy, r.createdAt, r.spread, r.settings, r.now = caller, m.now(), spread{shards: 1}.with(draft), r.settings.with(draft), m.now
	r.blocks = m.blocks
	r.members = map[chat.UserID]*member{caller: {role: policy.Owner, since: r.createdAt}}
	r.slots, r.marks, r.receipts = map[chat.UserID]time.Time{}, map[chat.UserID]mark{}, map[chat.UserID]inbox.Receipt{}
	r.prefers = map[chat.UserID]inbox.Preferences{}
	m.rooms[r.id] = r
	m.emit(r, feed.Change{Type: feed.RoomChanged})
	m.emit(r, feed.Change{Type: feed.MemberChanged, User: caller})
}
