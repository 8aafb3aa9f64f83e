package httpapi

import "example.com/parley/internal/ratelimit"

// price is the cost of an operation to the caller's budgets.
type price struct {
	// limit is charged before the operation: units, and unitsPerKB for each KB of the body.
	limit             ratelimit.ID
	units, unitsPerKB int
	// covers is the number of consumed units for which nothing more is charged; 0 means units.
	covers int
	// stores reports that the body counts toward the caller's daily bytes.
	stores bool
	// creates is the daily quota that a response with 201 consumes one of. Messages, which is not
	// a daily quota, stands for none.
	creates ratelimit.ID
}

// Units of DynamoDB, as cmd/bench counts them, rounded up. After the response, a page is also
// charged for its bytes and for units consumed beyond these.
const (
	// itemUnits is the cost of a change of one or two items.
	itemUnits = 4
	// memberUnits is the cost of a membership change: two items in a transaction, the count, and
	// entries of the feed.
	memberUnits = 16
	// personUnits is the cost of a new title and a new name of two words, with all former titles:
	// 107. Each is an item in a transaction.
	personUnits = 112
	// partUnits and partUnitsPerKB are the cost of a document part and its version, written in a
	// transaction: 138 for 32 KB.
	partUnits, partUnitsPerKB = 10, 4
	// roomUnits is the cost of a room with its owner.
	roomUnits = 24
	// readUnits is the cost of the caller's membership, the room and its shards.
	readUnits = 4
	// searchUnits is the price of a search while somebody types. 5 a second take three quarters of
	// what refills, and leave the rest for what else the page reads. More than 7 a second empty the
	// budget within a minute.
	searchUnits = 30
	// searchCovers is more than a search of 30 rooms consumes: a head and two listings of each, and
	// the results. People in hundreds of rooms are charged for more.
	searchCovers = 150
	// searchStepsPerUnit is how much work of a search beyond search.PaySteps, which its price
	// includes, costs a read unit: some 300 KB of scanned text, or 0.3 ms of a processor. A request
	// of the most work costs 450 more. So a person's budget pays for four concurrent ones, and then
	// for one in three seconds: 5 % of a processor.
	searchStepsPerUnit = 300_000
	// pageBytes is how many bytes of a response cost a read unit. Its transfer costs as much as
	// 2.7 units.
	pageBytes = 4 << 10
)

// The prices of operations.
var (
	readPrice       = price{limit: ratelimit.Reads, units: readUnits}
	searchPrice     = price{limit: ratelimit.Reads, units: searchUnits, covers: searchCovers}
	itemPrice       = price{limit: ratelimit.Writes, units: itemUnits}
	messagePrice    = price{limit: ratelimit.Messages, units: 1, stores: true}
	roomPrice       = price{limit: ratelimit.Writes, units: roomUnits, stores: true, creates: ratelimit.Rooms}
	deleteRoomPrice = price{limit: ratelimit.Writes, units: roomUnits}
	memberPrice     = price{limit: ratelimit.Writes, units: memberUnits, creates: ratelimit.Memberships}
	personPrice     = price{limit: ratelimit.Writes, units: personUnits, stores: true}
	bulkPrice       = price{limit: ratelimit.Writes, units: itemUnits, stores: true} // and each entry has its own
	documentPrice   = price{limit: ratelimit.Writes, units: itemUnits, stores: true, creates: ratelimit.Documents}
	partPrice       = price{
		limit: ratelimit.Writes, units: partUnits, unitsPerKB: partUnitsPerKB, stores: true,
		creates: ratelimit.Documents,
	}
)
