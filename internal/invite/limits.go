package invite

import "time"

const (
	// DefaultAge is how long an invitation is valid by default. People answer a link within days,
	// and a forgotten link must not stay open.
	DefaultAge = 7 * 24 * time.Hour
	// MaxAge is how long an invitation may be valid. A link needed for longer is created again, by
	// somebody who may still invite.
	MaxAge = 30 * 24 * time.Hour
	// DefaultUses is how many people an invitation admits by default: a large team, but not a
	// crowd if the link leaks.
	DefaultUses = 100
	// MaxUses is how many people an invitation may admit. A room for more people is public.
	MaxUses = 1000
	// MaxLive is how many live invitations a room may have, so a moderator can look through them.
	MaxLive = 50
)
