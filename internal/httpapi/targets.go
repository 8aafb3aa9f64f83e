package httpapi

import (
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// The units of attention (ADR 48).
const (
	// mentionAttention is the attention that a mention takes: a row in the person's list.
	mentionAttention = 1
	// memberAttention is the attention that a membership change takes: an entry in everybody's
	// feed, an audit line, and one room more or less in the person's list.
	memberAttention = 2
	// roomAttention is the attention that a mention of everyone in a room takes, or an invitation
	// to it.
	roomAttention = 10
	// reportAttention is the attention that a report takes: moderators look at each.
	reportAttention = 10
)

// withTargets is implemented by inputs that ask for the attention of a person or a room.
type withTargets interface {
	targetCosts(caller chat.UserID) []targetCost
}

// targetCost is the attention that an operation asks of a target.
type targetCost struct {
	of    string
	units int
}

// attentionCosts returns the costs of the attention that an operation asks of others, one for each
// limit.
func attentionCosts(caller chat.UserID, in any) []ratelimit.Cost {
	d, ok := in.(withTargets)
	if !ok {
		return nil
	}
	var costs []ratelimit.Cost
	for _, of := range d.targetCosts(caller) {
		limit := ratelimit.Attention(of.of)
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

// targetCosts returns the attention asked of the person whose membership changes. A person who
// joins or leaves asks it of the room.
func (p MemberPath) targetCosts(caller chat.UserID) []targetCost {
	if p.User == "me" || p.User == string(caller) {
		return []targetCost{{ofRoom(p.Room), memberAttention}}
	}
	return []targetCost{{p.User, memberAttention}}
}

func (in *putOwnerInput) targetCosts(chat.UserID) []targetCost {
	return []targetCost{{in.Body.User, memberAttention}}
}

func (in *postMessageInput) targetCosts(chat.UserID) []targetCost { return in.Body.of(in.Room) }

func (in *patchMessageInput) targetCosts(chat.UserID) []targetCost { return in.Body.of(in.Room) }

func (in *postReportInput) targetCosts(chat.UserID) []targetCost {
	id, err := chat.ParseMessageID(in.ID)
	if err != nil {
		return nil // the operation refuses it
	}
	return []targetCost{{string(id.User), reportAttention}}
}

func (in *postInviteInput) targetCosts(chat.UserID) []targetCost {
	return []targetCost{{ofRoom(in.Room), roomAttention}}
}

func (in *InvitePath) targetCosts(chat.UserID) []targetCost {
	return []targetCost{{"invite " + in.Token, memberAttention}}
}

// of returns the costs of mentions in a room.
func (g MentionsGiven) of(room string) []targetCost {
	var all []targetCost
	for _, user := range g.Mentions {
		all = append(all, targetCost{user, mentionAttention})
	}
	if g.MentionRoom != nil && *g.MentionRoom {
		all = append(all, targetCost{ofRoom(room), roomAttention})
	}
	return all
}
