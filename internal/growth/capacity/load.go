package capacity

import (
	"fmt"
	"time"

	"parley/internal/chat"
	"parley/internal/shard"
)

const (
	// peak is the rate at the end of each ramp, in messages a second.
	peak = 20_000
	// hold is how long the rate stays at its peak.
	hold = 60 * time.Second
	// tick is the step of the clock.
	tick = 10 * time.Millisecond
	// people is how many people write, all as much.
	people = 20_000
	// feedUnits are the write units of one change in a feed, in batches of a hundred and more.
	feedUnits = 0.04
	// feedRate is how many changes a second many processes append to one feed, somewhat fewer than
	// `make bench` counts. A busier feed is behind, and the watcher with it.
	feedRate = 15_000
	// feedDelay is the time from a message to its batch in the feed function.
	feedDelay = time.Second
	// inFunction is how long a request takes, which determines how many processes there are.
	inFunction = 12 * time.Millisecond
	// senderTries is how often a sender makes a request that is answered with 503, and senderWait
	// the pause before the second one. It doubles each time.
	senderTries = 4
	senderWait  = time.Second
	// roomUnits are the read units a second by which a process keeps a room and its shards.
	roomUnits = 2
)

// Load is the writes of a room, from none to peak.
type Load struct {
	Ramp time.Duration // 0 is a step
	// Warm is how many write units a second the table takes at first, and so its index.
	Warm int
	// Room is the name of the room. The hashes of its shards decide which of them share a
	// partition.
	Room string
}

// HeldRamp is the ramp that a room on a warm table should take.
const HeldRamp = 300 * time.Second

// Ramps are the times in which a room gets from none to 20,000 messages a second.
func Ramps() []time.Duration {
	return []time.Duration{HeldRamp, 60 * time.Second, 10 * time.Second, 0}
}

// WarmWrites is what the setting of that name states for the peak: three units for each message.
// NewWrites is what a new table takes.
const (
	WarmWrites = 3 * peak
	NewWrites  = newTableWrites
)

// at returns the rate at a time, in messages a second.
func (l Load) at(t time.Duration) float64 {
	if t >= l.Ramp {
		return peak
	}
	return peak * t.Seconds() / l.Ramp.Seconds()
}

// Result is how a load went.
type Result struct {
	Load
	Messages  int
	Refused   int // requests that the service answered with 503, after all its attempts
	Failed    int // messages that the sender gave up
	Attempts  int
	Throttled int // attempts
	Behind    int // the most messages that the feed had not reached
	RoomReads int // the most read units a second of the room's partition
	Epochs    shard.Epochs
	Start     time.Time
}

// Share returns the throttled part of all attempts, in percent.
func (r Result) Share() float64 { return 100 * float64(r.Throttled) / float64(max(1, r.Attempts)) }

// Growth returns the shards with the seconds of the load at which they began.
func (r Result) Growth() string {
	text := ""
	for _, e := range r.Epochs[1:] {
		if after := e.From.Sub(r.Start); after <= r.Ramp+hold+chat.MaxAhead {
			text += fmt.Sprintf(" %d@%ds", e.N, int(after.Seconds()))
		}
	}
	return text
}

// ShrunkAfter returns for how long the shards stayed as the load left them.
func (r Result) ShrunkAfter() time.Duration {
	return r.Epochs.Last().From.Sub(r.Start.Add(r.Ramp + hold)).Truncate(time.Minute)
}
