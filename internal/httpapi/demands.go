package httpapi

import (
	"slices"

	"parley/internal/chat"
	"parley/internal/ratelimit"
)

// The units of attention (ADR 48).
const (
	// mentionDemand is the attention that a mention takes: a row in the person's list.
	mentionDemand = 1
	// memberDemand is the attention that a membership change takes: an entry in everybody's feed,
	// an audit line, and one room more or less in the person's list.
	memberDemand = 2
	// roomDemand is the attention that a mention of everyone in a room takes, or an invitation to
	// it.
	roomDemand = 10
	// reportDemand is the attention that a report takes: moderators look at each.
	reportDemand = 10
)

// demanding is implemented by inputs that ask for the attention of a person or a room.
type demanding interface {
	demands(caller chat.UserID) []demand
}

// demand is the attention that an operation asks of a target.
type demand struct {
	of    string
	units int
}

// attention returns the costs of the attention that an operation asks of others, one for each
// limit.
func attention(caller chat.UserID, in any) []ratelimit.Cost {
	d, ok := in.(demanding)
	if !ok {
		return nil
	}
	var costs []ratelimit.Cost
	for _, of := range d.demands(caller) {
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

// demands returns the attention asked of the person whose membership changes. A person who joins
// or leaves asks it of the room.
func (p MemberPath) demands(caller chat.UserID) []demand {
	if p.User == "me" || p.User == string(caller) {
		return []demand{{ofRoom(p.Room), memberDemand}}
	}
	return []demand{{p.User, memberDemand}}
}

func (in *putOwnerInput) demands(chat.UserID) []demand {
	return []demand{{in.Body.User, memberDemand}}
}

func (in *postMessageInput) demands(chat.UserID) []demand { return in.Body.of(in.Room) }

func (in *patchMessageInput) demands(chat.UserID) []demand { return in.Body.of(in.Room) }

func (in *postReportInput) demands(chat.UserID) []demand {
	id, err := chat.ParseMessageID(in.ID)
	if err != nil {
		return nil // the operation refuses it
	}
	return []demand{{string(id.User), reportDemand}}
}

func (in *postInviteInput) demands(chat.UserID) []demand {
	return []demand{{ofRoom(in.Room), roomDemand}}
}

func (in *useInviteInput) demands(chat.UserID) []demand {
	return []demand{{"invite " + in.Token, memberDemand}}
}

// of returns the demands that mentions in a room make.
func (g MentionsGiven) of(room string) []demand {
	var all []demand
	for _, user := range g.Mentions {
		all = append(all, demand{user, mentionDemand})
	}
	if g.MentionRoom != nil && *g.MentionRoom {
		all = append(all, demand{ofRoom(room), roomDemand})
	}
	return all
}
