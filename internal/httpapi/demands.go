package httpapi

import (
	"slices"

	"parley/internal/chat"
	"parley/internal/ratelimit"
)

// The units of attention (ADR 48).
const (
	// mentionDemand is that of a mention: a row in a list of the person.
	mentionDemand = 1
	// memberDemand is that of a change of a membership: an entry in everybody's feed, a line of the
	// audit, and a room more or less in the person's list.
	memberDemand = 2
	// roomDemand is that of a mention of everyone in a room, and of an invitation to it.
	roomDemand = 10
	// reportDemand is that of a report: moderators look at each.
	reportDemand = 10
)

// demanding is implemented by inputs that ask for the attention of a person or a room.
type demanding interface {
	demands(caller chat.UserID) []demand
}

// demand is what an operation asks of a target.
type demand struct {
	of    string
	units int
}

// attention returns the costs of what an operation asks of others, one for each limit.
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

// ofRoom names a room as a target. No user id has a space.
func ofRoom(room string) string { return "room " + room }

// demands are of the person whose membership changes. A person who joins and leaves demands it of
// the room.
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

// of returns the demands of mentions in a room.
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
