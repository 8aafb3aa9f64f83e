package membership

import "time"

const (
	// MaxReason is the maximum length of the reason of a mute or ban in bytes: a sentence or two.
	MaxReason = 500
	// MaxRestriction is how far ahead a mute or ban may end. Longer restrictions need no end:
	// somebody lifts them.
	MaxRestriction = 366 * 24 * time.Hour
	// MaxCount bounds the number of members that a count returns. A count of MaxCount means this
	// many or more, and costs about 25 read units.
	MaxCount = 1000
	// CountAge is how long a process may use a count of a room's members.
	CountAge = time.Minute
	// MaxExact is the largest number of members that is counted anew for each caller, for a read
	// unit: a small room immediately shows who comes and goes.
	MaxExact = 50
	// MaxReceipts is the largest number of members in a room with receipts, where each sees how
	// far the others have read. In larger rooms nobody looks for one person, and a list would read
	// a marker for each.
	MaxReceipts = 50
	// MaxOwnerSearch is how many members, by name, are searched for another owner when an owner
	// leaves: about 25 read units. In a larger room the owner may have to hand over first.
	MaxOwnerSearch = 1000
)
