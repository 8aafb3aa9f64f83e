// Package policy decides who may do what in a room. It is pure: a role, a
// room and an action go in, a decision comes out. Its test is the whole table.
package policy

// Role is what a person is in a room.
type Role int

// The roles, from the least to the most trusted. Whoever has no role in a room is a Stranger.
const (
	Banned Role = iota
	Muted
	Stranger
	Member
	Moderator
	Owner
)

// roleNames are how roles are written, in items and in the API.
var roleNames = [...]string{Banned: "banned", Muted: "muted", Stranger: "", Member: "member", Moderator: "moderator", Owner: "owner"}

func (r Role) String() string { return roleNames[r] }

// ParseRole reads what String wrote of a role that can be given to someone.
func ParseRole(s string) (Role, bool) {
	for r, name := range roleNames {
		if name == s && s != "" {
			return Role(r), true
		}
	}
	return Stranger, false
}

// Posting says who may post in a room.
type Posting int

// The settings of Posting, the most open first.
const (
	Everyone Posting = iota // no join needed
	Members
	Moderators
)

var postingNames = [...]string{Everyone: "everyone", Members: "members", Moderators: "moderators"}

func (p Posting) String() string { return postingNames[p] }

// ParsePosting reads what String wrote.
func ParsePosting(s string) (Posting, bool) {
	for p, name := range postingNames {
		if name == s {
			return Posting(p), true
		}
	}
	return Everyone, false
}

// Room is what decisions need to know of a room.
type Room struct {
	Private bool
	Posting Posting
}

// Action is what someone wants to do.
type Action int

// The actions. Those on a person are decided by MayChange as well, those on oneself by MayChangeOwn:
// whoever may See a room may ask to join or leave it.
const (
	See        Action = iota // the room's settings, its members
	Read                     // messages and documents
	Post                     // messages
	Write                    // documents
	Administer               // invite, remove, mute, ban
	Configure                // the room's settings, its moderators and owners
	Audit                    // read the room's audit log
)

// Decision is the answer to whether an action is allowed.
type Decision int

// The decisions. Hide is a denial that must look as if the room were not there.
const (
	Allow Decision = iota
	Deny
	Hide
)

// Decide answers whether a person of a role may do an action in a room.
func Decide(role Role, room Room, action Action) Decision {
	if room.Private && (role == Stranger || role == Banned) {
		return Hide
	}
	if allowed(role, room, action) {
		return Allow
	}
	return Deny
}

func allowed(role Role, room Room, action Action) bool {
	switch action {
	case See:
		return role != Banned
	case Read:
		return role != Banned
	case Post, Write:
		return role >= leastRole(room.Posting)
	case Administer, Audit:
		return role >= Moderator
	case Configure:
		return role == Owner
	}
	return false
}

// leastRole is the least role that may post.
func leastRole(p Posting) Role {
	switch p {
	case Members:
		return Member
	case Moderators:
		return Moderator
	}
	return Stranger
}

// MayChange answers whether someone who may Administer a room may turn another
// person's role from one into another; Stranger as the new role removes them. Owners may
// do anything; moderators may do what leaves moderators and owners as they are.
func MayChange(actor, from, to Role) bool {
	if actor == Owner {
		return true
	}
	return actor == Moderator && from < Moderator && to < Moderator
}

// MayChangeOwn answers whether someone who may See a room may turn their own role from one into
// another: a stranger joins, as a member; whoever is in the room leaves, turning into a
// Stranger, which a mute outlives. An owner cannot, so that a room always has one.
func MayChangeOwn(from, to Role) bool {
	switch to {
	case Member:
		return from == Stranger
	case Stranger:
		return from == Muted || from == Member || from == Moderator
	}
	return false
}
