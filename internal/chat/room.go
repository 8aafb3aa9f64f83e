package chat

import (
	"time"

	"parley/internal/policy"
)

// Room is a room with its settings.
type Room struct {
	ID        RoomID
	Name      string
	Topic     string
	CreatedBy UserID
	CreatedAt time.Time
	Shards    int // the number of partitions of its messages, 1 to MaxShards
	// Place is where the room is listed, from the country down, with at most MaxPlaceLevels levels.
	// Private rooms have no place.
	Place   []string
	Private bool
	Posting policy.Posting
	// SlowMode is the minimum interval between two messages of a person, in whole seconds; 0 turns
	// it off.
	SlowMode time.Duration
	// Archived rooms are read-only; see policy.Room.
	Archived bool
	// Revision counts the changes of the settings.
	Revision int
	// DigestKey is the key of the digests of the room's messages: 32 random bytes.
	DigestKey []byte
}

// Policy returns the properties of the room that decisions depend on.
func (r Room) Policy() policy.Room {
	return policy.Room{Private: r.Private, Posting: r.Posting, Archived: r.Archived}
}

// MemberOf identifies a person as a member of a room.
type MemberOf struct {
	Room RoomID
	User UserID
}

// Membership is a person's role in a room. The memberships of people who are In are listed twice:
// among the person's rooms and among the room's members.
type Membership struct {
	Room RoomID
	User UserID
	// Name is the person's name when the membership was last written. Members are listed by it.
	Name string
	Role policy.Role
	// Left means that the person has left and only a mute remains.
	Left     bool
	JoinedAt time.Time // when the membership was created
	// Count is the number of messages that had been created in the room when the person joined.
	// Those are not unread to them.
	Count int64
}

// In reports whether the person is in the room. A ban, or a mute after leaving, is a Membership of
// a person who is not.
func (m Membership) In() bool { return m.Room != "" && !m.Left && m.Role != policy.Banned }

// OwnerOf returns the first membership of a new room: its creator as the owner. A room is always
// stored together with it. An owner cannot leave; only another owner can change their role. So
// every room has an owner, and the creator has no rights beyond their membership.
func OwnerOf(room Room, name string) Membership {
	return Membership{Room: room.ID, User: room.CreatedBy, Name: name, Role: policy.Owner, JoinedAt: room.CreatedAt}
}

// RoleIn returns a person's role in a room, which follows from the membership alone; the zero
// Membership is a stranger's. A person who has left a private room is a stranger to it. In a public
// room, the mute of a person who left still applies.
func (m Membership) RoleIn(room Room) policy.Role {
	if m.Room == "" || m.Left && room.Private {
		return policy.Stranger
	}
	return m.Role
}
