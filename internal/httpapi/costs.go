package httpapi

import (
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

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

// The units of requests toward a person or a room (ADR 48).
const (
	// mentionTargetUnits are the units of a mention: a row in the person's list.
	mentionTargetUnits = 1
	// memberTargetUnits are the units of a membership change: an entry in everybody's
	// feed, an audit line, and one room more or less in the person's list.
	memberTargetUnits = 2
	// roomTargetUnits are the units of a mention of everyone in a room, or of an invitation
	// to it.
	roomTargetUnits = 10
	// reportTargetUnits are the units of a report: moderators look at each.
	reportTargetUnits = 10
)

// withTargets is implemented by inputs of operations toward a person or a room.
type withTargets interface {
	targetCosts(caller chat.UserID) []targetCost
}

// targetCost is the cost of an operation toward a target.
type targetCost struct {
	of    string
	units int
}

// towardCosts returns the costs of an operation toward others, one for each
// limit.
func towardCosts(caller chat.UserID, in any) []ratelimit.Cost {
	d, ok := in.(withTargets)
	if !ok {
		return nil
	}
	var costs []ratelimit.Cost
	for _, of := range d.targetCosts(caller) {
		limit := ratelimit.Toward(of.of)
		i := slices.IndexFunc(costs, func(c ratelimit.Cost) bool { return c.Limit == limit })
		if i < 0 {
			i, costs = len(costs), append(costs, ratelimit.Cost{Limit: limit})
		}
		costs[i].Units += of.units
	}
	return costs
}

// ofRoom names a room as a target. It contains a space, which no user id does.
func ofRoom(room string) string { return "room " + room }

// targetCosts returns the cost toward the person whose membership changes, or toward the room when
// a person joins or leaves.
func (p MemberPath) targetCosts(caller chat.UserID) []targetCost {
	if p.User == "me" || p.User == string(caller) {
		return []targetCost{{ofRoom(p.Room), memberTargetUnits}}
	}
	return []targetCost{{p.User, memberTargetUnits}}
}

func (in *putOwnerInput) targetCosts(chat.UserID) []targetCost {
	return []targetCost{{in.Body.User, memberTargetUnits}}
}

func (in *postMessageInput) targetCosts(chat.UserID) []targetCost { return in.Body.of(in.Room) }

func (in *patchMessageInput) targetCosts(chat.UserID) []targetCost { return in.Body.of(in.Room) }

func (in *postReportInput) targetCosts(chat.UserID) []targetCost {
	id, err := chat.ParseMessageID(in.ID)
	if err != nil {
		return nil // the operation refuses it
	}
	return []targetCost{{string(id.User), reportTargetUnits}}
}

func (in *postInviteInput) targetCosts(chat.UserID) []targetCost {
	return []targetCost{{ofRoom(in.Room), roomTargetUnits}}
}

func (in *InvitePath) targetCosts(chat.UserID) []targetCost {
	return []targetCost{{"invite " + in.Token, memberTargetUnits}}
}

// of returns the costs of mentions in a room.
func (g MentionsGiven) of(room string) []targetCost {
	var all []targetCost
	for _, user := range g.Mentions {
		all = append(all, targetCost{user, mentionTargetUnits})
	}
	if g.MentionRoom != nil && *g.MentionRoom {
		all = append(all, targetCost{ofRoom(room), roomTargetUnits})
	}
	return all
}
