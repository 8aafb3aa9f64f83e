package membership

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Restriction is a mute or ban.
type Restriction struct {
	Role   policy.Role // policy.Muted or policy.Banned
	Until  time.Time   // when it ends; the zero time means that it has no end
	Reason string      // shown to moderators and owners, and to the person while they are muted
}

// Restrict mutes or bans a person, as SetMember does, until a time and for a reason. At that time,
// or when the ban is lifted, the person regains their former role. Another Restrict of the same
// person replaces the end and the reason, and keeps the former role. In a private room, a mute with
// an end does not admit a person who is not in it.
//
// The error is Invalid for an end that is not in the future or beyond MaxRestriction, and for a
// reason that is not one line of at most MaxReason bytes. Otherwise it is as for SetMember.
func (s *Service) Restrict(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, r Restriction,
) (m chat.Membership, added bool, err error) {
	if r.Until, err = s.checkEnd(r.Until); err != nil {
		return chat.Membership{}, false, err
	}
	if err := chat.CheckLine("reason", r.Reason, MaxReason); err != nil {
		return chat.Membership{}, false, err
	}
	return s.setMember(ctx, caller, of, r)
}

// checkEnd returns the end of a restriction to the millisecond.
func (s *Service) checkEnd(until time.Time) (time.Time, error) {
	if until.IsZero() {
		return until, nil
	}
	now := s.clock()
	until = chat.ServerTime(until)
	switch {
	case !until.After(now):
		return until, chat.Invalidf("until", "must be in the future")
	case until.After(now.Add(MaxRestriction)):
		return until, chat.Invalidf(
			"until", "must be at most %d days ahead; without it, the restriction has no end",
			int(MaxRestriction.Hours()/24),
		)
	}
	return until, nil
}

// given returns m with another role. A mute or ban remembers the role that it replaces. A ban of a
// muted person remembers the mute, without its end.
func (r Restriction) given(m chat.Membership) chat.Membership {
	former := policy.Stranger
	switch {
	case r.Role != policy.Muted && r.Role != policy.Banned:
		former = policy.Banned // remembers nothing
	case m.Restricted() && !m.Left && (m.Role == r.Role || m.Role == policy.Banned):
		former = m.Former()
	case m.In():
		former = m.Role
	}
	if former == policy.Muted && r.Role == policy.Muted {
		former = policy.Member // the mute before a ban
	}
	m.Restore = former
	m.Role, m.Left, m.Until, m.Reason = r.Role, false, r.Until, r.Reason
	return m
}

// action returns the name of the change in the audit.
func (r Restriction) action(own bool) string {
	action := "member.role"
	switch {
	case own:
		action = "member.joined"
	case r.Role == policy.Banned:
		action = "member.banned"
	}
	return action
}

// detail returns a restriction in the form that the audit shows.
func (r Restriction) detail() string {
	text := r.Role.String()
	if !r.Until.IsZero() {
		text += " until " + r.Until.Format(time.RFC3339)
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}
