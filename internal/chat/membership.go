package chat

import (
	"time"

	"example.com/parley/internal/policy"
)

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
