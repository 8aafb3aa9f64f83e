package hook

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/timer"
	"example.com/parley/internal/wire"
)

const (
	// shortPause is the shortest pause that the queue does not keep. The queue hides the message,
	// and with it the later ones of the hook. After a longer pause a timer wakes the hook, and rows
	// say what waits.
	shortPause = 2 * time.Minute
	// disableAfter is how long a receiver may fail: a weekend.
	disableAfter = 3 * 24 * time.Hour
	// halvingPause is the pause after a refused request, which is sent again with fewer changes.
	// The receiver is there, so it is short.
	halvingPause = 5 * time.Second
	// heldPause is the pause of a room whose next change was refused alone, and heldTime the time
	// after which that change is left out: a day to mend the receiver.
	heldPause = 15 * time.Minute
	heldTime  = 24 * time.Hour
	// jitter is the part by which pauses may be longer, so that the receivers of one machine are
	// not called at once.
	jitter = 0.2
)

// pauses are the pauses after failures in a row. The last one is repeated.
var pauses = []time.Duration{5 * time.Second, 30 * time.Second, shortPause, 10 * time.Minute, 15 * time.Minute}

// fail stores that a request was not accepted. It returns the pause after which the queue repeats
// its messages, or 0 if rows and a timer take their place.
func (c *call) fail(ctx context.Context, s sent) (pause time.Duration, err error) {
	now, state := c.now(), &c.state.DeliveryState
	state.failed(Failure{At: now, Reason: s.outcome.reason})
	if state.Failing.IsZero() {
		state.Failing = now
	}
	switch {
	case s.outcome.gone:
		state.Disabled = disabledGone
	case now.Sub(state.Failing) >= disableAfter:
		state.Disabled = disabledLong
	case s.outcome.refused && s.changes > 1:
		state.Limit, pause = s.changes/2, halvingPause
	case s.outcome.refused && len(state.Held) < maxHeld:
		return halvingPause, c.hold(ctx, s.answer.Rooms[0].Room)
	default:
		state.Tries++
		pause = pauses[min(state.Tries, len(pauses))-1]
		if s.outcome.timeout { // it holds a slot for seconds, which others need
			pause = max(pause, shortPause)
		}
		pause = max(pause, s.outcome.retryAfter)
	}
	if state.Disabled != "" {
		c.Log.WarnContext(ctx, "a hook is disabled", "hook", c.h.ID, "holder", c.h.Holder, "reason", state.Disabled)
		return 0, c.leave(ctx)
	}
	jittered := time.Duration(float64(pause) * (1 + jitter*c.Random()))
	state.Paused = now.Add(jittered)
	if pause >= shortPause {
		return 0, c.leaveUntil(ctx, state.Paused)
	}
	return jittered, c.keep(ctx)
}

// succeed stores that a request was accepted, if the one before was not.
func (c *call) succeed(ctx context.Context) error {
	state := &c.state.DeliveryState
	if state.Failing.IsZero() && state.Limit == 0 && state.Paused.IsZero() {
		return nil
	}
	state.Tries, state.Failing, state.Paused = 0, time.Time{}, time.Time{}
	if state.Limit *= 2; state.Limit >= MaxChanges {
		state.Limit = 0
	}
	return c.keep(ctx)
}

// keep stores the state.
func (c *call) keep(ctx context.Context) error {
	return c.Service.putState(ctx, c.h, c.state.DeliveryState)
}

// note writes the news of the wakes into rows.
func (c *call) note(ctx context.Context) error {
	now := c.now()
	return each(ctx, waitingOf(c.wakes), func(ctx context.Context, w due) error {
		n := RoomNews{Room: w.room, Seq: w.seq, Before: w.first.Seq, Generation: w.first.Generation}
		return noteNews(ctx, c.Service.table, c.h, n, now)
	})
}

// leave leaves what waits in rows.
func (c *call) leave(ctx context.Context) error {
	if err := c.note(ctx); err != nil {
		return err
	}
	c.state.Behind = true
	return c.keep(ctx)
}

// leaveUntil is leave with a timer. The timer is first, so that no row waits without one.
func (c *call) leaveUntil(ctx context.Context, at time.Time) error {
	if err := c.setTimer(ctx, at); err != nil {
		return err
	}
	return c.leave(ctx)
}

func (c *call) setTimer(ctx context.Context, at time.Time) error {
	return timer.Set(ctx, c.Service.table, timer.Timer{At: at, Name: c.h.timerName()})
}

// held returns the index of a room among those that are held, or -1.
func (d *DeliveryState) held(room chat.RoomID) int {
	return slices.IndexFunc(d.Held, func(h Held) bool { return h.Room == room })
}

// hold lets a room wait whose next change was refused alone, so that the others go on.
func (c *call) hold(ctx context.Context, room chat.RoomID) error {
	now := c.now()
	next := now.Add(heldPause)
	c.state.Held = append(c.state.Held, Held{Room: room, Since: now, Next: next})
	return c.leaveUntil(ctx, next)
}

// tryHeld sends the next changes of the rooms that are held and whose time has come, each alone.
// failed reports that the call ends, with a pause.
func (c *call) tryHeld(ctx context.Context) (pause time.Duration, failed bool, err error) {
	for _, h := range slices.Clone(c.state.Held) {
		now := c.now()
		if now.Before(h.Next) {
			continue
		}
		w, found, err := dynamo.ReadStrong(ctx, c.Service.table, "read due room", c.h.DueKey(h.Room), parseDue)
		if err != nil {
			return 0, true, err
		}
		var s sent
		if found {
			if s, err = c.send(ctx, []due{w}, true, 1); err != nil {
				return 0, true, err
			}
		}
		i := c.state.held(h.Room)
		switch {
		case s.outcome == outcome{} || s.outcome.ok:
			c.state.Held = slices.Delete(c.state.Held, i, i+1)
		case !s.outcome.refused:
			pause, err = c.fail(ctx, s)
			return pause, true, err
		default:
			if err := c.holdOn(ctx, i, s); err != nil {
				return 0, true, err
			}
		}
		if err := c.keep(ctx); err != nil {
			return 0, true, err
		}
	}
	return 0, false, nil
}

// holdOn holds a room whose next change was refused again. If that has been so for heldTime, and
// the receiver accepts other requests, the change is left out.
func (c *call) holdOn(ctx context.Context, i int, s sent) error {
	h := c.state.Held[i]
	if c.now().Sub(h.Since) >= heldTime {
		probe, err := c.post(ctx, "test", wire.HookData{ID: hash(s.answer.ID, "test")})
		if err != nil {
			return err
		}
		if probe.ok {
			c.state.Held = slices.Delete(c.state.Held, i, i+1)
			return c.leaveOut(ctx, s)
		}
	}
	c.state.Held[i].Next = c.now().Add(heldPause)
	return c.setTimer(ctx, c.state.Held[i].Next)
}

// leaveOut moves the cursor of a room past a change.
func (c *call) leaveOut(ctx context.Context, s sent) error {
	a := s.answer
	c.state.failed(Failure{At: c.now(), Reason: s.outcome.reason, Room: a.Rooms[0].Room, Seq: a.Rooms[0].Since.Seq})
	c.Log.WarnContext(ctx, "a hook leaves a change out", "hook", c.h.ID, "holder", c.h.Holder,
		"room", a.Rooms[0].Room, "seq", a.Rooms[0].Since.Seq)
	return c.Service.settle(ctx, c.h, a.stored(c.h, "", ""), true)
}

// Sweep wakes the hooks whose timers are due. It should run each minute. It costs a read unit, and
// for each timer a message of the queue and a write unit.
func (o *Outbox) Sweep(ctx context.Context) error {
	for {
		due, err := timer.Due(ctx, o.table, o.clock(), maxDueTimers)
		if err != nil || len(due) == 0 {
			return err
		}
		var wakes []Wake
		for _, t := range due {
			if w, ok := wakeOf(t.Name, t.At); ok {
				wakes = append(wakes, w)
			}
		}
		if err := o.queue.Send(ctx, wakes); err != nil {
			return err
		}
		err = each(ctx, due, func(ctx context.Context, t timer.Timer) error { return timer.Clear(ctx, o.table, t) })
		if err != nil || len(due) < maxDueTimers {
			return err
		}
	}
}

// maxDueTimers is the number of timers that are read at a time: one for every hook.
const maxDueTimers = MaxHooks
