package httpapi

import (
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
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
