package httpapi

import "parley/internal/ratelimit"

// price is what an operation takes from the caller's budgets.
type price struct {
	// limit is taken from before the operation: units, and unitsPerKB for each KB of the body.
	limit             ratelimit.ID
	units, unitsPerKB int
	// stores says that the body counts among the caller's bytes of the day.
	stores bool
	// creates is the quota of the day that an answer with 201 takes one from. It is Messages, which
	// is no quota of a day, for none.
	creates ratelimit.ID
}

// Units of DynamoDB, as cmd/bench counts them, rounded up. A page is charged after the answer for
// what it has consumed beyond them, and for its bytes.
const (
	// itemUnits are those of a change of one or two items.
	itemUnits = 4
	// memberUnits are those of a change of a membership: two items in a transaction, the count, and
	// entries of the feed.
	memberUnits = 16
	// personUnits are those of a profile with all its facts, each an item in a transaction.
	personUnits = 96
	// partUnits and partUnitsPerKB are those of a part of a document and of its version, which a
	// transaction writes: 138 for 32 KB.
	partUnits, partUnitsPerKB = 10, 4
	// roomUnits are those of a room with its owner.
	roomUnits = 24
	// readUnits are those of the caller's membership, the room and its shards.
	readUnits = 4
	// pageBytes is how much of an answer costs a read unit. Its transfer costs as much as 2.7
	// units.
	pageBytes = 4 << 10
)

// The prices of operations.
var (
	readPrice       = price{limit: ratelimit.Reads, units: readUnits}
	itemPrice       = price{limit: ratelimit.Writes, units: itemUnits}
	messagePrice    = price{limit: ratelimit.Messages, units: 1, stores: true}
	roomPrice       = price{limit: ratelimit.Writes, units: roomUnits, stores: true, creates: ratelimit.Rooms}
	deleteRoomPrice = price{limit: ratelimit.Writes, units: roomUnits}
	memberPrice     = price{limit: ratelimit.Writes, units: memberUnits, creates: ratelimit.Memberships}
	personPrice     = price{limit: ratelimit.Writes, units: personUnits, stores: true}
	documentPrice   = price{limit: ratelimit.Writes, units: itemUnits, stores: true, creates: ratelimit.Documents}
	partPrice       = price{limit: ratelimit.Writes, units: partUnits, unitsPerKB: partUnitsPerKB, stores: true, creates: ratelimit.Documents}
)
