package membership

import "time"

const (
	// MaxReason is the maximum length of the reason of a mute or ban in bytes: a sentence or two.
	MaxReason = 500
	// MaxRestriction is how far ahead a mute or ban may end. One for longer needs no end: somebody
	// lifts it.
	MaxRestriction = 366 * 24 * time.Hour
)
