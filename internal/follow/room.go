package follow

import "time"

// maxHeld bounds the changes that wait for a missing one. Beyond it they are dropped, because the
// feed has them too.
const maxHeld = 1000

// room is the position in one room's feed, and the changes that are known to come after it.
type room struct {
	id    string
	since string // the position to ask the feed from
	seq   int64  // the number of the last change that was handed over
	head  int64  // the highest number that is known to exist
	known bool   // seq is set: a position alone does not tell its number

	sinceSeq int64 // the number that since stands for
	held     map[int64]Change
	marks    []mark

	live     bool // the server has confirmed the subscription on this connection
	fetching bool
	reset    bool // the feed cannot continue: the caller reloads
	failures int  // of requests, in a row
	fetchAt  time.Time
	askAt    time.Time // a refused subscription is not repeated before
}

// mark is a position that becomes the room's when its number has been handed over.
type mark struct {
	seq   int64
	since string
}

func newRoom(r Room) *room { return &room{id: r.ID, since: r.Since, held: map[int64]Change{}} }

// due reports whether the feed is to be asked now.
func (r *room) due(now time.Time) bool {
	return !r.fetching && !r.fetchAt.IsZero() && !now.Before(r.fetchAt)
}

// behind reports whether changes are missing.
func (r *room) behind() bool { return !r.known || r.head > r.seq }

// isAt reports whether a position of the server's is that of the room. The same number with another
// text means that the feed has begun again, as in a restored table.
func (r *room) isAt(head int64, since string) bool {
	return head == r.seq && (r.sinceSeq < r.seq || since == r.since)
}

// fetchBy lets the feed be asked at a time, unless it is asked earlier already.
func (r *room) fetchBy(at time.Time) {
	if r.fetchAt.IsZero() || at.Before(r.fetchAt) {
		r.fetchAt = at
	}
}

// restart begins at another position, whose number is not known.
func (r *room) restart(since string) {
	r.since, r.sinceSeq, r.seq, r.head = since, 0, 0, 0
	r.known, r.reset, r.failures = false, false, 0
	clear(r.held)
	r.marks = nil
}

// takeFrame takes the changes of a frame and returns those that come next, in order. It reports
// whether the feed has to be asked without a wait, because the frame leaves out a message.
func (r *room) takeFrame(changes []Change, since string) (next []Change, omitted bool) {
	for _, c := range changes {
		r.head = max(r.head, c.Seq)
		if c.Omitted && (!r.known || c.Seq > r.seq) {
			omitted = true
			continue
		}
		r.hold(c)
	}
	return r.advance(changes, since), omitted
}

// takePage takes a page of the feed and returns the changes that come next, in order.
func (r *room) takePage(p page) []Change {
	if !r.known {
		r.known = true
		r.seq = p.Head
		if len(p.Changes) > 0 {
			r.seq = p.Changes[0].Seq - 1
		}
		r.sinceSeq = r.seq
	}
	r.head = max(r.head, p.Head)
	for _, c := range p.Changes {
		r.hold(c)
	}
	return r.advance(p.Changes, p.Since)
}

// hold keeps a change that is not a repeat.
func (r *room) hold(c Change) {
	if r.known && c.Seq <= r.seq {
		return
	}
	if len(r.held) >= maxHeld {
		clear(r.held)
		r.marks = nil
	}
	r.held[c.Seq] = c
}

// advance returns the held changes that follow without a hole. The position since belongs to the
// last of the changes that have just been held.
func (r *room) advance(held []Change, since string) (next []Change) {
	if len(held) > 0 && since != "" {
		r.marks = append(r.marks, mark{held[len(held)-1].Seq, since})
	}
	if !r.known {
		return nil
	}
	for {
		c, ok := r.held[r.seq+1]
		if !ok {
			break
		}
		delete(r.held, c.Seq)
		next = append(next, c)
		r.seq = c.Seq
	}
	rest := r.marks[:0]
	for _, m := range r.marks {
		if m.seq > r.seq {
			rest = append(rest, m)
		} else if m.seq > r.sinceSeq {
			r.since, r.sinceSeq = m.since, m.seq
		}
	}
	r.marks = rest
	return next
}
