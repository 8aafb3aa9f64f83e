package chat

import (
	"time"

	"parley/internal/policy"
)

// Room is a place where messages are kept in order.
type Room struct {
	ID        RoomID
	Name      string
	Topic     string
	CreatedBy UserID
	CreatedAt time.Time
	Shards    int // how many partitions its messages are spread over, 1 to MaxShards
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

// Membership is what a person is in a room. Of those who are In it, it has two sides:
// the person's rooms and the room's members.
type Membership struct {
	Room RoomID
	User UserID
	// Name is the person's when the membership was last written; members are listed by it.
	Name string
	Role policy.Role
	// Left says that the person has gone and only their mute is kept.
	Left     bool
	JoinedAt time.Time
	// Count is how many messages had been created in the room when they came: those are
	// not unread to them.
	Count int64
}

// In tells whether the person is in the room, and not just kept in mind: banned, or left with a mute.
func (m Membership) In() bool { return m.Room != "" && !m.Left && m.Role != policy.Banned }

// OwnerOf is the first membership of a room that is made: its maker's, under
// their name. A room is never kept without it, and an owner goes only by the hand of another:
// so a room always has an owner, and whoever made it is nothing in it but by their membership.
func OwnerOf(room Room, name string) Membership {
	return Membership{Room: room.ID, User: room.CreatedBy, Name: name, Role: policy.Owner, JoinedAt: room.CreatedAt}
}

// roleOf is what a person is in a room, by their membership alone, the zero one being none. Who
// has left a private room is a stranger to it; in a public one the mute that they left goes on.
func roleOf(m Membership, room Room) policy.Role {
	if m.Room == "" || m.Left && room.Private {
		return policy.Stranger
	}
	return m.Role
}
