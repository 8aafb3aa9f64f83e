package invite

import "time"

const (
	// DefaultAge is how long an invitation is valid if nobody says otherwise. People answer a link
	// within days, and a forgotten link must not stay open.
	DefaultAge = 7 * 24 * time.Hour
	// MaxAge is how long an invitation may be valid. A link that is needed for longer is made anew,
	// by somebody who may still invite.
	MaxAge = 30 * 24 * time.Hour
	// DefaultUses is how many people an invitation admits if nobody says otherwise: a large team,
	// but no crowd if the link leaks.
	DefaultUses = 100
	// MaxUses is how many people an invitation may admit. A room for more is public.
	MaxUses = 1000
	// MaxLive is how many live invitations a room may have, so that a moderator can look through
	// them.
	MaxLive = 50
)
