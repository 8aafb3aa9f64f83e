package chat

import (
	"time"

	"parley/internal/policy"
)

// Room is a place where messages are kept in order.
type Room struct {
	ID     RoomID
	Name   string
	Topic  string
	Maker  UserID
	MadeAt time.Time
	Shards int // how many partitions its messages are spread over, 1 to MaxShards
	// Place is where the room is listed, from the country down, at most
	// MaxPlaceLevels; private rooms have none.
	Place   []string
	Private bool
	Posting policy.Posting
	// SlowMode is how long each person waits between messages, in whole
	// seconds; 0 is not at all.
	SlowMode time.Duration
	// Revision counts the changes of its settings.
	Revision int
	// DigestKey is the key of its messages' digests: 32 random bytes.
	DigestKey []byte
}

// Membership is what a person is in a room. It is one item with two sides:
// the person's rooms and the room's members.
type Membership struct {
	Room RoomID
	User UserID
	// Name is the person's when the membership was last written; members are listed by it.
	Name string
	Role policy.Role
	// Left says that the person has gone and only a role that must
	// survive that is kept: a ban, a mute, the maker's leave.
	Left  bool
	Since time.Time
	// Count is how many messages had been created in the room when they came: those are
	// not unread to them.
	Count int64
}

// OwnerOf is the first membership of a room that is made: its maker's, under
// their name.
func OwnerOf(room Room, name string) Membership {
	return Membership{Room: room.ID, User: room.Maker, Name: name, Role: policy.Owner, Since: room.MadeAt}
}

// roleOf is what a person is in a room, by their membership, the zero one being none.
func roleOf(user UserID, m Membership, room Room) policy.Role {
	switch {
	case m.Room == "" && room.Maker == user: // rooms made before there were members
		return policy.Owner
	case m.Room == "":
		return policy.Stranger
	case m.Left && (room.Private && m.Role != policy.Banned || m.Role > policy.Muted):
		return policy.Stranger
	}
	return m.Role
}
