package chat

import (
	"time"

	"parley/internal/policy"
)

// In reports whether the person is in the room. A ban, or a mute after leaving, is a Membership of
// a person who is not. In does not know the time; see At.
func (m Membership) In() bool { return m.Room != "" && !m.Left && m.Role != policy.Banned }

// Restricted reports whether the person is muted or banned.
func (m Membership) Restricted() bool {
	return m.Room != "" && (m.Role == policy.Muted || m.Role == policy.Banned)
}

// Listed reports whether lists have the membership: the person is in the room, or will be when
// their ban ends by itself. Nothing runs at that moment, so the entry stays, and readers of lists
// leave it out until then.
func (m Membership) Listed() bool { return m.In() || !m.Until.IsZero() && m.At(m.Until).In() }

// At returns the membership that is in effect at a time. An expired mute or ban counts as lifted.
func (m Membership) At(now time.Time) Membership {
	if !m.Restricted() || m.Until.IsZero() || now.Before(m.Until) {
		return m
	}
	return m.Lifted()
}

// Lifted returns the membership without its mute or ban: the former role, or none.
func (m Membership) Lifted() Membership {
	role := m.Former()
	if m.Left || role == policy.Stranger {
		return Membership{}
	}
	m.Role, m.Until, m.Reason, m.Restore = role, time.Time{}, "", policy.Banned
	return m
}

// Former returns the role before a mute or ban. Where an older version did not store it, a muted
// person was a member, and the end of a ban leaves a stranger.
func (m Membership) Former() policy.Role {
	switch {
	case m.Restore > policy.Banned:
		return m.Restore
	case m.Role == policy.Muted:
		return policy.Member
	}
	return policy.Stranger
}

// RoleIn returns a person's role in a room at a time. It follows from the membership alone; the
// zero Membership is a stranger's. A person who has left a private room is a stranger to it. In a
// public room, the mute of a person who left still applies.
func (m Membership) RoleIn(room Room, now time.Time) policy.Role {
	m = m.At(now)
	if m.Room == "" || m.Left && room.Private {
		return policy.Stranger
	}
	return m.Role
}

// AddedBy returns the person who adds user to a room; nobody if the caller joins.
func AddedBy(caller, user UserID) UserID {
	if caller == user {
		return ""
	}
	return caller
}
