// Package policy decides who may do what in a room. It is pure: the input is a role, a room and an
// action, and the output is a decision. Its tests cover the complete table of decisions.
package policy

// Role is a person's role in a room.
type Role int

// The roles, from the least to the most trusted. A person without a role in a room is a Stranger.
const (
	Banned Role = iota
	Muted
	Stranger
	Member
	Moderator
	Owner
)

// roleNames are the roles as they are stored and shown in the API.
var roleNames = [...]string{
	Banned: "banned", Muted: "muted", Stranger: "", Member: "member", Moderator: "moderator", Owner: "owner",
}

func (r Role) String() string { return roleNames[r] }

// ParseRole parses the result of String for a role that can be given to a person.
func ParseRole(s string) (Role, bool) {
	for r, name := range roleNames {
		if name == s && s != "" {
			return Role(r), true
		}
	}
	return Stranger, false
}

// Posting defines who may post in a room.
type Posting int

// The settings of Posting, from the most open.
const (
	Everyone Posting = iota // no join needed
	Members
	Moderators
)

var postingNames = [...]string{Everyone: "everyone", Members: "members", Moderators: "moderators"}

func (p Posting) String() string { return postingNames[p] }

// ParsePosting parses the result of String.
func ParsePosting(s string) (Posting, bool) {
	for p, name := range postingNames {
		if name == s {
			return Posting(p), true
		}
	}
	return Everyone, false
}

// Grant defines whether the members of a room share a right of its moderators.
type Grant int

// The settings of Grant. Rooms that do not set it leave the right to moderators.
const (
	GrantModerators Grant = iota
	GrantMembers
)

var grantNames = [...]string{GrantModerators: "moderators", GrantMembers: "members"}

func (g Grant) String() string { return grantNames[g] }

// ParseGrant parses the result of String.
func ParseGrant(s string) (Grant, bool) {
	for g, name := range grantNames {
		if name == s {
			return Grant(g), true
		}
	}
	return GrantModerators, false
}

// Room holds the properties of a room on which decisions depend.
type Room struct {
	Private bool
	Posting Posting
	// RoomMentions defines who may mention everyone in the room.
	RoomMentions Grant
	// Pinning defines who may pin messages.
	Pinning Grant
	// Archived rooms accept only writes that unarchive or delete them, or that end one's own
	// membership.
	Archived bool
	// Direct reports that the room belongs to fixed people, none of whom administers it. Direct
	// rooms are private.
	Direct bool
}

// Action is an action that a person wants to perform.
type Action int

// The actions. MayChange further restricts actions on another person, and MayChangeOwn actions on
// oneself. Everyone who may See a room may try to leave it.
const (
	See        Action = iota // the room's settings and members
	Read                     // messages and documents
	Post                     // messages
	Write                    // documents
	Administer               // invite, remove, mute, ban, resolve reports
	Configure                // the room's settings, its moderators and owners
	Audit                    // read the room's audit log
	Join                     // the room, by one's own request
	DeleteRoom
	Report      // a message, to the room's moderators
	MentionRoom // mention everyone in the room; a message that does also requires Post
	Pin         // and unpin messages
	React       // to a message
	Add         // a member; only services, which act for the person
	Enter       // the room, by an invitation
)

// Decision is the result of a policy decision.
type Decision int

// The decisions. Hide is a denial that must look as if the room did not exist. DenyArchived is a
// denial only because the room is archived.
const (
	Allow Decision = iota
	Deny
	Hide
	DenyArchived
)

// Decide returns the decision on an action of a person with a role in a room. A private room is
// not hidden from people whom a service adds or who have an invitation.
func Decide(role Role, room Room, action Action) Decision {
	guest := (action == Add || action == Enter) && !room.Direct
	if room.Private && !guest && (role == Stranger || role == Banned) {
		return Hide
	}
	return room.decision(allowed(role, room, action), action)
}

// decision returns the decision on an action that a role may or may not perform. An action that is
// not listed here is a write, which an archived room refuses. Configure remains allowed because it
// also unarchives the room.
func (r Room) decision(may bool, action Action) Decision {
	switch {
	case !may:
		return Deny
	case !r.Archived, action == See, action == Read, action == Audit, action == Configure, action == DeleteRoom:
		return Allow
	}
	return DenyArchived
}

func allowed(role Role, room Room, action Action) bool {
	switch action {
	case See, Read, Join, Report:
		return role != Banned
	case Post, Write:
		return role >= leastRole(room.Posting)
	case React: // even if only moderators post: members respond to announcements this way
		return role >= Member || role == Stranger && room.Posting == Everyone
	case MentionRoom:
		return role >= grantedRole(room.RoomMentions) && !room.Direct
	case Pin:
		return role >= grantedRole(room.Pinning) || room.Direct && role >= Member
	case Administer, Audit:
		return role >= Moderator && !room.Direct
	case Configure, DeleteRoom:
		return role == Owner && !room.Direct
	case Add:
		return !room.Direct
	case Enter:
		return role != Banned && !room.Direct
	}
	return false
}

// MayAdd reports whether a service that may Add a member to a room may change a person's role. It
// may not lift a mute or a ban, which the room's moderators decided. Adding a member again changes
// nothing.
func MayAdd(from, to Role) bool { return to == Member && (from == Stranger || from == Member) }

// leastRole returns the lowest role that may post.
func leastRole(p Posting) Role {
	switch p {
	case Members:
		return Member
	case Moderators:
		return Moderator
	}
	return Stranger
}

// grantedRole returns the lowest role that has a granted right.
func grantedRole(g Grant) Role {
	if g == GrantMembers {
		return Member
	}
	return Moderator
}

// MayChange reports whether a person who may Administer a room may change another person's role.
// The new role Stranger removes the person. Owners may make every change. Moderators may make
// changes that involve no moderator and no owner.
func MayChange(actor, from, to Role) bool {
	if actor == Owner {
		return true
	}
	return actor == Moderator && from < Moderator && to < Moderator
}

// MayChangeOwn reports whether a person who may See a room may change their own role. A stranger
// may join as a member. Others may leave, which makes them a Stranger, but a mute stays in effect.
// An owner may leave only while another owner remains, which the service checks.
func MayChangeOwn(from, to Role) bool {
	switch to {
	case Member:
		return from == Stranger
	case Stranger:
		return from == Muted || from == Member || from == Moderator
	}
	return false
}

// MessageAction is an action that a person wants to perform on an existing message.
type MessageAction int

// The actions on a message.
const (
	Edit   MessageAction = iota // replace the text
	Delete                      // remove the text permanently
)

// DecideMessage returns the decision on an action on a message, by a person with a role in its
// room. The argument own reports whether it is the person's own message.
//
// An edit requires the right to post, and only senders may edit. Deleting one's own message
// requires only the right to read, so muted people may. Moderators may delete every message. An
// archived room refuses both actions.
func DecideMessage(role Role, room Room, own bool, action MessageAction) Decision {
	if d := Decide(role, room, Read); d != Allow {
		return d
	}
	may := false
	switch action {
	case Edit:
		may = own && allowed(role, room, Post)
	case Delete:
		may = own || allowed(role, room, Administer)
	}
	return room.decision(may, Write)
}
