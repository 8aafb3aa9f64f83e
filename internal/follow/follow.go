// Package follow is a client of live delivery. It passes the changes of rooms to its caller in
// order, each once and without gaps, despite network failures.
//
// Changes come as frames over a WebSocket. Their numbers show where one is missing, and the room's
// feed over HTTP contains it. The follower queries the feed when a gap lasts, when the server
// reports a higher number, and after each connection. Without a connection it polls.
//
// One connection follows 100 rooms. Of more rooms, the ones that changed last take the places of
// quiet ones. The heads of all rooms, in one request a minute, show which others have changed.
//
// A connection that does not answer within 2 seconds may be dead: another one is opened, and the
// first to answer stays. The follower also checks after a sleep of the machine and, if somebody
// watches, after a time without a frame.
//
// One goroutine owns all state. Other goroutines dial, read and fetch for it, and post their
// results to its inbox.
package follow

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"
)

// ErrNoRooms ends a follower that may no longer see any of its rooms.
var ErrNoRooms = errors.New("there is no room left to follow")

// DefaultPoll is the pause between two polls for changes when no socket is available.
const DefaultPoll = 3 * time.Second

// Room is a room to follow.
type Room struct {
	ID    string
	Since string // the position to begin after; empty is the beginning of the feed
}

// API is the part of a client that a follower uses.
type API interface {
	// Token returns a token that can be sent in a header.
	Token(ctx context.Context) (string, error)
	// Get decodes the answer to a request into into. Its error is a Refused if the answer is no
	// success.
	Get(ctx context.Context, path string, into any) error
}

// Refused is the error for an answer that is no success.
type Refused interface {
	error
	StatusCode() int
	// Passing reports whether the same request may succeed after Wait.
	Passing() bool
	Wait() time.Duration
}

// Config configures a follower.
type Config struct {
	Client API
	Socket string // the address, such as ws://127.0.0.1:8080/ws; empty polls
	Dial   Dialer // nil is DialSocket
	Rooms  []Room
	// Heads returns the heads of the rooms of the caller's list, newest activity first. It shows
	// changes of more rooms than a connection follows. Without it, they are polled.
	Heads func(ctx context.Context) ([]Head, error)
	// All follows all rooms that Heads returns, with those that it returns later. Rooms then only
	// has positions; rooms that Heads does not return are reported as Removed.
	All bool
	// Handle receives every event. An error ends the follower. Handle and Reload are never called
	// concurrently.
	Handle func(Event) error
	// Reload starts over a room whose feed cannot continue, or a room of All without a position: it
	// reads a page of messages and returns the page's since.
	Reload func(ctx context.Context, room string) (since string, err error)
	Clock  func() time.Time
	Random func() float64 // in [0, 1), for pauses
	Poll   time.Duration  // zero means DefaultPoll
	// Quiet is the time without a frame after which the follower asks for the positions of its
	// first 20 rooms, because somebody is watching. Zero leaves that to the sync every 8 minutes.
	Quiet time.Duration
}

// The types of events, in addition to the frame types typing, presence, personal and counts.
const (
	Changes = "changes" // numbered changes of a room, which follow the previous ones without a gap
	Removed = "removed" // the room is no longer followed: the person may no longer see it, or with All has left it
	State   = "state"   // the way in which changes arrive has changed
)

// The values of Event.State.
const (
	Live    = "live"    // frames arrive
	Polling = "polling" // no socket is available
)

// Event is one report to the caller.
type Event struct {
	Type    string
	Room    string          // of Changes and Removed
	Changes []Change        // of Changes
	Since   string          // of Changes: the position to resume from; it may repeat some of them
	State   string          // of State
	Frame   json.RawMessage // the frame itself, for frame types
}

// follower is the state of one run.
type follower struct {
	Config
	rooms    map[string]*room
	order    []string // the rooms' ids, newest activity first
	inbox    chan func(context.Context) error
	work     sync.WaitGroup
	link     link
	fetching int    // the number of running requests
	refused  int    // how many times in a row the token was refused
	state    string // the last reported state

	stored    map[string]string // positions of rooms that Heads has not returned yet
	asked     bool              // the heads were read once, or failed
	ordered   bool              // the rooms are ordered by activity
	comparing bool
	compareAt time.Time
	failures  int       // to read the heads, in a row
	settledAt time.Time // the end of a delay of changes of subscriptions
}

// Run follows the rooms until ctx ends, Handle fails or the token is refused for good.
func Run(ctx context.Context, c Config) error {
	if err := checkAddress(c.Socket); err != nil {
		return err
	}
	f := newFollower(c)
	ctx, cancel := context.WithCancel(ctx)
	defer f.work.Wait()
	defer f.hangUp()
	defer cancel()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if err := f.act(ctx); err != nil {
			return err
		}
		began, rest := f.Clock(), f.rest()
		timer.Reset(rest)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		case do := <-f.inbox:
			if err := do(ctx); err != nil {
				return err
			}
		}
		if slept(began, f.Clock(), rest) {
			if err := f.woke(ctx); err != nil {
				return err
			}
		}
	}
}

func newFollower(c Config) *follower {
	if c.Dial == nil {
		c.Dial = DialSocket
	}
	if c.Poll == 0 {
		c.Poll = DefaultPoll
	}
	f := &follower{
		Config: c, rooms: map[string]*room{}, stored: map[string]string{},
		inbox: make(chan func(context.Context) error),
	}
	f.link.dialAt, f.compareAt = c.Clock(), c.Clock()
	for _, r := range c.Rooms {
		if c.All {
			f.stored[r.ID] = r.Since
		} else if f.rooms[r.ID] == nil {
			f.rooms[r.ID] = newRoom(r)
			f.order = append(f.order, r.ID)
		}
	}
	f.choose()
	return f
}

// act does everything that is due.
func (f *follower) act(ctx context.Context) error {
	if len(f.order) == 0 && !f.All {
		return ErrNoRooms
	}
	if f.compares() {
		if !f.comparing && !f.Clock().Before(f.compareAt) {
			f.compare(ctx)
		}
		if !f.asked {
			return nil // the heads decide which rooms the connection follows
		}
	}
	if err := f.tend(ctx); err != nil {
		return err
	}
	now := f.Clock()
	for _, id := range f.order {
		r := f.rooms[id]
		if !r.due(now) {
			continue
		}
		if r.reset {
			return f.reload(ctx, r) // then the inbox and the other rooms follow
		}
		if f.fetching < maxFetches {
			f.fetch(ctx, r)
		}
	}
	return nil
}

// rest returns how long the follower can only wait for input.
func (f *follower) rest() time.Duration {
	now := f.Clock()
	next := now.Add(wakeEvery)
	earlier := func(t time.Time) {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	if f.compares() && !f.comparing {
		earlier(f.compareAt)
	}
	if f.compares() && !f.asked {
		return max(next.Sub(now), 0)
	}
	f.link.deadlines(f, earlier)
	for _, r := range f.rooms {
		if !r.fetching && (r.reset || f.fetching < maxFetches) {
			earlier(r.fetchAt)
		}
	}
	return max(next.Sub(now), 0)
}

// later runs work in the background, and the step that it returns in the follower's goroutine.
func (f *follower) later(ctx context.Context, work func() func(context.Context) error) {
	f.work.Go(func() { f.post(ctx, work()) })
}

// post sends a step to the follower's goroutine. It reports whether the follower is still running.
func (f *follower) post(ctx context.Context, do func(context.Context) error) bool {
	select {
	case f.inbox <- do:
		return true
	case <-ctx.Done():
		return false
	}
}

// report reports a change in how changes arrive to the caller.
func (f *follower) report(state string) error {
	if f.state == state {
		return nil
	}
	f.state = state
	return f.Handle(Event{Type: State, State: state})
}
