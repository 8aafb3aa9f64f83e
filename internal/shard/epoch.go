package shard

import (
	"fmt"
	"slices"
	"time"
)

// Epoch is a period in which messages are spread over N shards. It lasts until the next epoch.
type Epoch struct {
	From time.Time // aligned to the second
	N    int
}

// Epochs is the history of a room's shard counts, oldest first. The first epoch begins at time
// zero, so that imported history is found.
type Epochs []Epoch

// Fixed returns the history of a room that always had n shards.
func Fixed(n int) Epochs { return Epochs{{From: time.Unix(0, 0).UTC(), N: n}} }

// Margins bound the difference between the times at which a message was sent and received. The time
// of sending determines the shard, and rooms are read by the time of receipt. Readers therefore
// include epochs just outside their range. The caller defines how far senders may deviate.
type Margins struct {
	MaxSendDelay  time.Duration // how long before its receipt a message may have been sent
	MaxClockAhead time.Duration // how far a sender's clock may be ahead
}

// Validate returns an error if there is no epoch, if the first does not begin at time zero, or if
// the others are not in order. Each epoch must have 1 to max shards.
func (e Epochs) Validate(max int) error {
	if len(e) == 0 {
		return fmt.Errorf("there is no epoch")
	}
	if e[0].From.Unix() != 0 {
		return fmt.Errorf("the first epoch begins at %v, not at time zero", e[0].From)
	}
	for i, epoch := range e {
		if epoch.N < 1 || epoch.N > max {
			return fmt.Errorf("epoch %d has %d shards, want 1 to %d", i, epoch.N, max)
		}
		if i > 0 && !epoch.From.After(e[i-1].From) {
			return fmt.Errorf("epoch %d does not follow epoch %d", i, i-1)
		}
	}
	return nil
}

// Last returns the newest epoch.
func (e Epochs) Last() Epoch { return e[len(e)-1] }

// At returns the epoch of a message that was sent at t.
func (e Epochs) At(t time.Time) Epoch {
	for i := len(e) - 1; i > 0; i-- {
		if !t.Before(e[i].From) {
			return e[i]
		}
	}
	return e[0]
}

// Reach returns how many shards, from the first, may hold messages that were received in [from,
// to). A zero time is unbounded.
func (e Epochs) Reach(from, to time.Time, m Margins) int {
	n := 0
	for _, epoch := range e.reachedBy(from, to, m) {
		n = max(n, epoch.N)
	}
	return n
}

// Window returns the times at which messages of shard i may have been received within [from, to):
// the first, and the end. A zero time is unbounded. Messages may not have been received at all
// times in between. ok is false if there are no such times.
func (e Epochs) Window(i int, from, to time.Time, m Margins) (first, end time.Time, ok bool) {
	for k, epoch := range e {
		if epoch.N <= i {
			continue
		}
		since, until := epoch.From.Add(-m.MaxClockAhead), time.Time{}
		if k == 0 {
			since = time.Time{}
		}
		if k+1 < len(e) {
			until = e[k+1].From.Add(m.MaxSendDelay)
		}
		since, until = latest(since, from), earliest(until, to)
		if !until.IsZero() && !since.Before(until) {
			continue
		}
		if !ok {
			first = since
		}
		end, ok = until, true
	}
	return first, end, ok
}

// Window is a shard with the times at which its messages may have been received.
type Window struct {
	Shard      int
	First, End time.Time // a zero time is unbounded
}

// Windows returns the shards that may hold messages received in [from, to), with the parts of that
// range. A zero time is unbounded.
func (e Epochs) Windows(from, to time.Time, m Margins) []Window {
	var windows []Window
	for i := range e.Reach(from, to, m) {
		if first, end, ok := e.Window(i, from, to, m); ok {
			windows = append(windows, Window{Shard: i, First: first, End: end})
		}
	}
	return windows
}

// latest returns the later of two times that begin a range.
func latest(a, b time.Time) time.Time {
	if a.After(b) { // the zero time is before all others
		return a
	}
	return b
}

// earliest returns the earlier of two times that end a range.
func earliest(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// OfUser returns the shards that may hold messages that user sent in [from, to). A zero time is
// unbounded. It returns one shard, or a few if the range spans epochs.
func (e Epochs) OfUser(user string, from, to time.Time) []int {
	var shards []int
	seen := map[int]bool{}
	for _, epoch := range e.within(from, to) {
		if s := ForUser(user, epoch.N); !seen[s] {
			seen[s] = true
			shards = append(shards, s)
		}
	}
	return shards
}

// With returns the epochs with one more, from the first whole second at or after a time and after
// the start of the last epoch. It returns nil if the last epoch already has n shards.
func (e Epochs) With(n int, from time.Time) Epochs {
	last := e.Last()
	if last.N == n {
		return nil
	}
	if whole := from.Truncate(time.Second); whole.Before(from) {
		from = whole.Add(time.Second)
	}
	if !from.After(last.From) {
		from = last.From.Add(time.Second)
	}
	return append(slices.Clone(e), Epoch{From: from.UTC(), N: n})
}

// reachedBy returns the epochs within a range that is widened by the margins.
func (e Epochs) reachedBy(from, to time.Time, m Margins) Epochs {
	if !from.IsZero() {
		from = from.Add(-m.MaxSendDelay)
	}
	if !to.IsZero() {
		to = to.Add(m.MaxClockAhead)
	}
	return e.within(from, to)
}

// within returns the epochs that contain an instant of [from, to).
func (e Epochs) within(from, to time.Time) Epochs {
	first, end := 0, len(e)
	for !from.IsZero() && first+1 < len(e) && !e[first+1].From.After(from) {
		first++
	}
	for !to.IsZero() && end-1 > first && !e[end-1].From.Before(to) {
		end--
	}
	return e[first:end]
}
