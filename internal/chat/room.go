package chat

import (
	"context"
	"time"

	"example.com/parley/internal/policy"
)

// Room is a room with its settings.
type Room struct {
	ID        RoomID
	Name      string
	Topic     string
	CreatedBy UserID
	CreatedAt time.Time
	// Service is the service that owns the room; empty if only people do. It is not a member.
	Service UserID
	Shards  int // the number of partitions of its messages, 1 to MaxShards
	// ShardsPinned reports that an owner has set Shards. Otherwise Shards follows the rate of
	// messages.
	ShardsPinned bool
	// Place is where the room is listed, from the country down, with at most MaxPlaceLevels levels.
	// Private rooms have no place.
	Place   []string
	Private bool
	// Direct lists the people of a direct room in order, including people who have left. It is nil
	// for every other room.
	Direct  []UserID
	Posting policy.Posting
	// RoomMentions defines who may mention everyone in the room.
	RoomMentions policy.Grant
	// Pinning defines who may pin messages.
	Pinning policy.Grant
	// SlowMode is the minimum interval between two messages of a person, in whole seconds; 0 turns
	// it off.
	SlowMode time.Duration
	// Channel is the id of the channel from which an import made the room; empty for other rooms.
	Channel string
	// Deleted reports that only the id remains. Stores do not return such rooms.
	Deleted bool
	// Archived rooms are read-only; see policy.Room.
	Archived bool
	// NoReceipts reports that members do not see how far others have read.
	NoReceipts bool
	// Silent reports that no system messages report changes of the room.
	Silent bool
	// Metadata is a JSON object set by the owners; empty if there is none.
	Metadata string
	// Revision counts the changes of the settings.
	Revision int
	// DigestKey is the key of the digests of the room's messages: 32 random bytes.
	DigestKey []byte
}

// Policy returns the properties of the room on which decisions depend.
func (r Room) Policy() policy.Room {
	return policy.Room{
		Private: r.Private, Posting: r.Posting, RoomMentions: r.RoomMentions, Direct: r.Direct != nil,
		Archived: r.Archived, Pinning: r.Pinning,
	}
}

// RoleOf returns a caller's role in the room at a time. A service that acts as itself is an owner
// of the rooms that it owns (ADR 64). Everyone else has the role of their membership.
func (r Room) RoleOf(ctx context.Context, caller UserID, m Membership, now time.Time) policy.Role {
	if r.OwnedByService(ctx, caller) {
		return policy.Owner
	}
	return m.RoleIn(r, now)
}

// OwnedByService reports whether the caller is the service that owns the room, on its own behalf.
func (r Room) OwnedByService(ctx context.Context, caller UserID) bool {
	return r.Service == caller && IsService(ctx, caller)
}

// WithoutShards returns r as shown to people who do not own it.
func (r Room) WithoutShards() Room {
	r.Shards, r.ShardsPinned = 0, false
	return r
}

// Kind returns "direct" for a direct room, and "room" for every other room.
func (r Room) Kind() string {
	if r.Direct != nil {
		return "direct"
	}
	return "room"
}

// MemberOf identifies a person as a member of a room.
type MemberOf struct {
	Room RoomID
	User UserID
}

// Membership is a person's role in a room, as stored. At returns the membership in effect. A
// Listed membership appears in two lists: the person's rooms and the room's members.
type Membership struct {
	Room RoomID
	User UserID
	// Name is the person's name when the membership was last written. Members are listed by it.
	Name string
	Role policy.Role
	// Left reports that the person has left and only a mute remains.
	Left     bool
	JoinedAt time.Time // when the membership was created
	// Count is the number of messages that had been created in the room when the person joined.
	// Those messages do not count as unread.
	Count int64
	// Until is when a mute or ban ends; the zero time means never.
	Until time.Time
	// Reason is why the person was muted or banned.
	Reason string
	// Restore is the role before a mute or ban; otherwise Banned.
	Restore policy.Role
	// By is the person who added this person to the room; empty for people who joined by
	// themselves.
	By UserID
	// Closed reports that the membership has left the count of MaxRooms, because the room is
	// archived. Only lists of a person's rooms have it.
	Closed bool
	// Announce is who sends the system message about the joining that stores this membership; empty
	// for none.
	Announce UserID
}

// OwnerOf returns the first membership of a new room: its creator as the owner. A room is always
// stored together with this membership. An owner leaves only while another remains, and only
// another owner can change their role. So every room has an owner, and the creator has no rights
// beyond their membership. A room of a service has no first member: the zero Membership.
func OwnerOf(room Room, name string) Membership {
	if room.Service != "" {
		return Membership{}
	}
	return Membership{Room: room.ID, User: room.CreatedBy, Name: name, Role: policy.Owner, JoinedAt: room.CreatedAt}
}

// In reports whether the person is in the room. A banned person, or a muted person who left, has a
// Membership but is not in the room. In ignores expiry; see At.
func (m Membership) In() bool { return m.Room != "" && !m.Left && m.Role != policy.Banned }

// Restricted reports whether the person is muted or banned.
func (m Membership) Restricted() bool {
	return m.Room != "" && (m.Role == policy.Muted || m.Role == policy.Banned)
}

// Listed reports whether lists include the membership: the person is in the room, or will be when
// their ban expires. No code runs at that moment, so the entry stays in the lists and readers skip
// it until then.
func (m Membership) Listed() bool { return m.In() || !m.Until.IsZero() && m.At(m.Until).In() }

// At returns the membership that is in effect at a time. An expired mute or ban counts as lifted.
func (m Membership) At(now time.Time) Membership {
	if !m.Restricted() || m.Until.IsZero() || now.Before(m.Until) {
		return m
	}
	return m.Lifted()
}

// Lifted returns the membership without its mute or ban, with the former role if there was one.
func (m Membership) Lifted() Membership {
	role := m.Former()
	if m.Left || role == policy.Stranger {
		return Membership{}
	}
	m.Role, m.Until, m.Reason, m.Restore = role, time.Time{}, "", policy.Banned
	return m
}

// Former returns the role before a mute or ban. If none is stored, a muted person becomes a member,
// and a banned person a stranger.
func (m Membership) Former() policy.Role {
	switch {
	case m.Restore > policy.Banned:
		return m.Restore
	case m.Role == policy.Muted:
		return policy.Member
	}
	return policy.Stranger
}

// MutesStranger reports whether m is a mute with an end of a person who was not in the room.
func (m Membership) MutesStranger() bool {
	return m.Role == policy.Muted && !m.Until.IsZero() && m.Restore == policy.Stranger
}

// Joined returns a membership that a mute or the person had ended, after the person has joined
// again. A mute still applies, and afterwards the person is a member.
func (m Membership) Joined() Membership {
	m.Left = false
	if m.Role == policy.Muted && m.Restore == policy.Stranger {
		m.Restore = policy.Member
	}
	return m
}

// RoleIn returns a person's role in a room at a time. It depends only on the membership; the zero
// Membership is a stranger's. A person who has left a private room is a stranger to it. A stranger
// who is muted there for a time is stored as having left, because nothing ends their connections
// when the mute ends. In a public room, a mute still applies after the person leaves.
func (m Membership) RoleIn(room Room, now time.Time) policy.Role {
	m = m.At(now)
	if m.Room == "" || room.Private && m.Left {
		return policy.Stranger
	}
	return m.Role
}

// AddedBy returns the person who adds user to a room, or "" if the caller joins.
func AddedBy(caller, user UserID) UserID {
	if caller == user {
		return ""
	}
	return caller
}
