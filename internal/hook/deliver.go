package hook

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/outgoing"
)

const (
	// reserve is the time that a call keeps for one more request and for what follows it.
	reserve = outgoing.Timeout + 5*time.Second
	// earlyPause is the pause of news that the head of a feed does not include yet.
	earlyPause = time.Second
)

// earlyWaits are the waits for the head of a feed, which is written some milliseconds after the
// news.
var earlyWaits = []time.Duration{
	10 * time.Millisecond, 30 * time.Millisecond, 100 * time.Millisecond, 300 * time.Millisecond,
}

// DelivererOptions are the settings of a Deliverer. All but Tried are required.
type DelivererOptions struct {
	Service *Service
	Client  *outgoing.Client
	Random  func() float64 // from 0 to 1
	Sleep   func(context.Context, time.Duration)
	Log     *slog.Logger
	Tried   func(Try) // is called after each request; nil is allowed
}

// Try is a request to a receiver, without its changes.
type Try struct {
	Access  Access // the right to the hook
	Hook    ID
	At      time.Time
	Took    time.Duration
	Type    string        // changes, test or challenge
	Rooms   []chat.RoomID // of the changes
	Changes int
	Number  int    // 1 unless the request before failed
	Reason  string // the status of the answer, or why there is none
	OK      bool   // the receiver accepted it
}

// Deliverer sends the changes of hooks with an address. It is safe for concurrent use.
type Deliverer struct{ DelivererOptions }

// NewDeliverer returns a deliverer.
func NewDeliverer(o DelivererOptions) *Deliverer { return &Deliverer{o} }

// Deliver sends what waits for one hook: the news of wakes, which are all of this hook, and what
// its rows say if it is behind. Each request has what Fetch would return, and is sent until the
// receiver accepts it. One call for a hook may be under way at a time.
//
// A pause above zero asks the caller to repeat the call with the same wakes after it. The caller
// repeats it after an error, too, which is Unavailable if the table cannot answer now. ctx should
// have a deadline; a call that would exceed it ends before, and leaves a timer.
//
// A lone change costs about 6 read units, the reads of its message, and 1 write unit.
func (d *Deliverer) Deliver(ctx context.Context, wakes []Wake) (pause time.Duration, err error) {
	h, found, err := d.Service.hook(ctx, wakes[0].Holder, wakes[0].Hook)
	if err != nil || !found || h.URL == "" || h.CreatedAt.UnixMilli() != wakes[0].Created {
		return 0, err
	}
	state, err := d.Service.delivery(ctx, h)
	if chat.KindOf(err) == chat.NotFound {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	c := &call{Deliverer: d, h: h, state: state, wakes: wakes}
	return c.deliver(ctx)
}

// call is one call of Deliver.
type call struct {
	*Deliverer
	h     Hook
	state Delivery
	wakes []Wake
}

func (c *call) now() time.Time { return c.Service.now() }

func (c *call) deliver(ctx context.Context) (pause time.Duration, err error) {
	allowed, gone, err := c.Service.allowed(ctx, c.h)
	switch {
	case err != nil:
		return 0, err
	case gone:
		c.Log.InfoContext(ctx, "a hook has lost its room", "hook", c.h.ID, "holder", c.h.Holder)
		return 0, c.Service.remove(ctx, c.h)
	}
	if allowed {
		if err := c.test(ctx); err != nil {
			return 0, err
		}
	}
	rows := c.state.Behind || slices.ContainsFunc(c.wakes, func(w Wake) bool { return len(w.Rooms) == 0 })
	// A message may be visible a moment before its pause ends.
	left := c.state.Paused.Sub(c.now())
	switch stopped := !allowed || c.h.Off || c.state.Disabled != "" || !c.state.verified(c.h); {
	case !stopped && left > time.Second && left <= shortPause:
		return left, nil
	case c.state.Behind && (stopped || left > shortPause): // a timer waits, or a change of the hook
		return 0, c.note(ctx)
	case stopped:
		return 0, c.leave(ctx)
	case left > shortPause:
		return 0, c.leaveUntil(ctx, c.state.Paused)
	}
	if !rows {
		return c.direct(ctx)
	}
	if err := c.note(ctx); err != nil {
		return 0, err
	}
	return c.rows(ctx)
}

// direct sends the news of the wakes, which no rows have.
func (c *call) direct(ctx context.Context) (pause time.Duration, err error) {
	waiting := waitingOf(c.wakes)
	for waits := earlyWaits; len(waiting) > 0; {
		if c.late(ctx) {
			return 0, c.leaveUntil(ctx, c.now())
		}
		s, pause, failed, err := c.sendOrFail(ctx, waiting, false)
		if failed {
			return pause, err
		}
		waiting = s.rest
		switch {
		case s.progress || len(waiting) == 0:
		case len(waits) == 0:
			return earlyPause, nil
		default:
			c.Sleep(ctx, waits[0])
			waits = waits[1:]
		}
	}
	return 0, nil
}

// rows sends what the rows of the hook say, a page of rooms after the other, until a pass over all
// finds nothing to send.
func (c *call) rows(ctx context.Context) (pause time.Duration, err error) {
	if pause, failed, err := c.tryHeld(ctx); failed {
		return pause, err
	}
	waits := earlyWaits
	for {
		progress, early := false, false
		for after := chat.RoomID(""); ; {
			if c.late(ctx) {
				return 0, c.leaveUntil(ctx, c.now())
			}
			waiting, next, err := c.Service.due(ctx, c.h, after, dynamo.Strong)
			if err != nil {
				return 0, err
			}
			waiting = slices.DeleteFunc(waiting, func(w due) bool { return c.state.held(w.room) >= 0 })
			s, pause, failed, err := c.sendOrFail(ctx, waiting, true)
			if failed {
				return pause, err
			}
			progress, early = progress || s.progress, early || len(s.answer.early) > 0
			if after = cmp.Or(s.next, next); after == "" {
				break
			}
		}
		switch {
		case progress:
		case early && len(waits) == 0:
			return earlyPause, nil
		case early:
			c.Sleep(ctx, waits[0])
			waits = waits[1:]
		default:
			return 0, c.drained(ctx)
		}
	}
}

// drained stores that no rows wait but those of rooms that are held.
func (c *call) drained(ctx context.Context) error {
	if behind := len(c.state.Held) > 0; c.state.Behind != behind {
		c.state.Behind = behind
		return c.keep(ctx)
	}
	return nil
}

// late reports whether there is no time for another request.
func (c *call) late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < reserve
}

// sent is the outcome of one request.
type sent struct {
	outcome  outcome // zero if there was nothing to send
	answer   Answer
	changes  int         // the changes that were read, of all types
	progress bool        // some rooms wait no more, or less
	next     chat.RoomID // the last room that was looked at, if others follow
	rest     []due       // the rooms that still wait
}

// send sends at most a number of changes of rooms in one request, and moves the cursors of the
// rooms if the receiver accepts it.
func (c *call) send(ctx context.Context, waiting []due, rows bool, most int) (sent, error) {
	a, next, err := c.Service.read(ctx, c.h, waiting, most)
	if err != nil {
		return sent{}, err
	}
	stored := a.stored(c.h, "", next)
	out := sent{next: next, rest: restOf(waiting, a, next)}
	for _, r := range a.Rooms {
		out.changes += max(1, len(r.Entries))
	}
	a.filter(c.h.Types)
	if out.answer = a; out.changes == 0 {
		out.progress = len(out.rest) < len(waiting) // rooms whose news were received before
		return out, nil
	}
	if len(a.Rooms) > 0 {
		if out.outcome, err = c.post(ctx, "changes", dataOf(a)); err != nil || !out.outcome.ok {
			return out, err
		}
	}
	out.progress = true
	return out, c.Service.settle(ctx, c.h, stored, rows)
}

// sendOrFail is send with as many changes as the receiver takes. failed reports that the call
// ends, with a pause.
func (c *call) sendOrFail(
	ctx context.Context, waiting []due, rows bool,
) (s sent, pause time.Duration, failed bool, err error) {
	most := MaxChanges
	if c.state.Limit > 0 {
		most = c.state.Limit
	}
	s, err = c.send(ctx, waiting, rows, most)
	switch {
	case err != nil || s.outcome == outcome{}:
		return s, 0, err != nil, err
	case s.outcome.ok:
		err = c.succeed(ctx)
		return s, 0, err != nil, err
	}
	pause, err = c.fail(ctx, s)
	return s, pause, true, err
}

// restOf returns the rooms that still wait after an answer, which looked at those up to next.
func restOf(waiting []due, a Answer, next chat.RoomID) (rest []due) {
	looked := true
	for _, w := range waiting {
		i := slices.IndexFunc(a.Rooms, func(r RoomChanges) bool { return r.Room == w.room })
		answered := i >= 0 && (a.Rooms[i].Deleted || a.Rooms[i].end && a.Rooms[i].Since.Seq >= w.seq)
		if !looked || !answered && (i >= 0 || slices.Contains(a.early, w.room)) {
			rest = append(rest, w)
		}
		looked = looked && w.room != next
	}
	return rest
}
