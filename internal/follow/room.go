package follow

import "time"

// maxHeld bounds the changes that wait for a missing one. Beyond it they are dropped, because the
// feed also contains them.
const maxHeld = 1000

// room is the position in one room's feed, and the known changes after it.
type room struct {
	id    string
	since string // the position from which to query the feed
	seq   int64  // the number of the last delivered change
	head  int64  // the highest number known to exist
	known bool   // seq is set; a position does not contain its number

	sinceSeq int64 // the number of since
	held     map[int64]Change
	marks    []mark

	chosen   bool // one of the first maxRooms
	listed   bool // the caller's heads have it
	live     bool // the server has confirmed the subscription on this connection
	fetching bool
	// fetchBegun and abort are of the running request.
	fetchBegun time.Time
	abort      func()
	reset      bool // the feed cannot continue, or there is no position: the caller reloads
	failures   int  // of requests, in a row
	fetchAt    time.Time
	askAt      time.Time // the earliest retry of a refused subscription
}

// mark is a position that becomes the room's once the change with its number has been delivered.
type mark struct {
	seq   int64
	since string
}

func newRoom(r Room) *room { return &room{id: r.ID, since: r.Since, held: map[int64]Change{}} }

// due reports whether the feed must be queried now.
func (r *room) due(now time.Time) bool {
	return !r.fetching && !r.fetchAt.IsZero() && !now.Before(r.fetchAt)
}

// behind reports whether changes are missing.
func (r *room) behind() bool { return !r.known || r.head > r.seq }

// compared reports whether a comparison of heads shows each change of the room.
func (r *room) compared() bool { return r.listed && r.known }

// isAt reports whether the server's position is the room's. The same number with different text
// means that the feed has started over, as in a restored table.
func (r *room) isAt(head int64, since string) bool {
	return head == r.seq && (r.sinceSeq < r.seq || since == r.since)
}

// fetchBy schedules a query of the feed at a time, unless one is due earlier.
func (r *room) fetchBy(at time.Time) {
	if r.fetchAt.IsZero() || at.Before(r.fetchAt) {
		r.fetchAt = at
	}
}

// restart starts over at another position, whose number is unknown.
func (r *room) restart(since string) {
	r.since, r.sinceSeq, r.seq, r.head = since, 0, 0, 0
	r.known, r.reset, r.failures = false, false, 0
	clear(r.held)
	r.marks = nil
}

// takeFrame adds the changes of a frame and returns the next ones, in order. It reports whether
// the feed must be queried immediately because the frame omits a message.
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

// takePage adds a page of the feed and returns the next changes, in order.
func (r *room) takePage(p page) []Change {
	if !r.known {
		r.known = true
		r.seq = p.Head
		if len(p.Items) > 0 {
			r.seq = p.Items[0].Seq - 1
		}
		r.sinceSeq = r.seq
	}
	r.head = max(r.head, p.Head)
	for _, c := range p.Items {
		r.hold(c)
	}
	return r.advance(p.Items, p.Since)
}

// hold keeps a change unless it is a repeat.
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

// advance returns the held changes that follow without a gap. The position since belongs to the
// last of the changes just held.
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
