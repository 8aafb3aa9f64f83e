package httpapi_test

import (
	"path"
	"strings"
)

const (
	// burstChance is the number of turns for each burst: few, so that most requests are others.
	burstChance = 250
	// burstMessages are enough to exceed populationBurst, although the bucket fills meanwhile.
	burstMessages = populationBurst + 3
	// archivedTurns is the number of turns after which an archived room is unarchived. It is small,
	// so that archived rooms do not refuse everything that the test needs.
	archivedTurns = 4

	archive, unarchive = `{"archived":true}`, `{"archived":false}`
)

// The kinds of requests that share a route with others, for the counts of a population.
const (
	archiving   = "archive a room"
	unarchiving = "unarchive a room"
	restricting = "mute or ban with an end"
)

// turn is a request with its caller.
type turn struct {
	request
	caller string
}

// next returns the next request: the one that is due, the first of a burst, or a random one.
func (p *population) next() turn {
	if len(p.last) > 1 && len(p.coming) == 0 && p.random.IntN(burstChance) == 0 {
		p.coming = p.burst()
	}
	if len(p.coming) > 0 {
		due := p.coming[0]
		p.coming = p.coming[1:]
		return due
	}
	return p.randomTurn()
}

func (p *population) randomTurn() turn {
	r := p.randomRequest()
	at := strings.TrimSuffix(r.path, "/owner")
	if owner := p.owners[at]; owner != "" && (at != r.path || r.method == "DELETE" || r.body == archive) {
		return turn{r, owner} // anyone else would rarely be allowed to
	}
	return turn{r, p.caller()}
}

// burst returns messages that the author of the newest message sends to its room at once, so that
// the last ones are refused. Messages at random are too rare for this.
func (p *population) burst() []turn {
	newest := p.last[len(p.last)-1]
	_, author, _ := strings.Cut(path.Base(newest), "~")
	var all []turn
	for range burstMessages {
		all = append(all, turn{p.talk(path.Dir(path.Dir(newest))), author})
	}
	return all
}

// learnSettings counts the requests that share a route. It arranges that a room that was archived
// is unarchived soon.
func (p *population) learnSettings(r request, caller string) {
	switch {
	case r.body == archive:
		p.done[archiving]++
		for range archivedTurns {
			p.coming = append(p.coming, p.randomTurn())
		}
		p.coming = append(p.coming, turn{request{"PUT", r.path, unarchive, ""}, caller})
	case r.body == unarchive:
		p.done[unarchiving]++
	case strings.Contains(r.body, `"until"`):
		p.done[restricting]++
	}
}
