package invite

import (
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Invitation admits people to a room. Its creator must still be allowed to invite when it is used.
type Invitation struct {
	ID        ID
	Room      chat.RoomID
	Role      policy.Role // the role of people who join
	CreatedBy chat.UserID
	CreatedAt time.Time
	Expires   time.Time // to the second
	Uses      int
	MaxUses   int
	Revoked   bool
}

// Open reports whether the invitation is neither expired nor revoked at a time.
func (i Invitation) Open(now time.Time) bool { return !i.Revoked && now.Before(i.Expires) }

// Live reports whether the invitation may admit another person at a time.
func (i Invitation) Live(now time.Time) bool { return i.Open(now) && i.Uses < i.MaxUses }

// Draft describes a new invitation. Zero values mean the defaults: Member, DefaultAge and
// DefaultUses.
type Draft struct {
	Role    policy.Role
	Expires time.Time
	MaxUses int
}

// invitation returns the invitation that a draft describes, or an Invalid error.
func (d Draft) invitation(now time.Time) (Invitation, error) {
	i := Invitation{
		Role: d.Role, CreatedAt: chat.ServerTime(now), Expires: d.Expires.UTC().Truncate(time.Second),
		MaxUses: d.MaxUses,
	}
	if d.Role == 0 {
		i.Role = policy.Member
	}
	if d.Expires.IsZero() {
		i.Expires = now.UTC().Add(DefaultAge).Truncate(time.Second)
	}
	if d.MaxUses == 0 {
		i.MaxUses = DefaultUses
	}
	switch {
	case i.Role != policy.Member && i.Role != policy.Moderator:
		return i, chat.Invalidf("role", "must be member or moderator")
	case !i.Expires.After(now):
		return i, chat.Invalidf("expires", "must be in the future, by at least a second")
	case i.Expires.After(now.Add(MaxAge)):
		return i, chat.Invalidf("expires", "must be at most %d days ahead", int(MaxAge.Hours()/24))
	case i.MaxUses < 1 || i.MaxUses > MaxUses:
		return i, chat.Invalidf("maxUses", "must be from 1 to %d", MaxUses)
	}
	return i, nil
}
