package dynamo

import (
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// window describes a shard that may hold messages of a span.
type window struct {
	shard int
	// deferred reports that all of them come after the time from, in the order of the span. After
	// a room has shrunk, a reader of the newest page need not query its former shards, whose
	// messages are older than about a day.
	deferred bool
	from     time.Time
}

// windowsOf returns the shards that may hold messages of a span. A single user's windows are never
// deferred, because they are few.
func windowsOf(span chat.MessageRange, epochs shard.Epochs) []window {
	var windows []window
	if span.User != "" {
		for _, i := range epochs.OfUser(string(span.User), span.From, span.To) {
			windows = append(windows, window{shard: i})
		}
		return windows
	}
	from, to := remaining(span)
	for _, w := range epochs.Windows(from, to, epochMargins) {
		if span.Order == chat.Oldest {
			windows = append(windows, window{shard: w.Shard, from: w.First, deferred: !w.First.Equal(from)})
		} else {
			windows = append(windows, window{shard: w.Shard, from: w.End, deferred: !w.End.Equal(to)})
		}
	}
	return windows
}

// remaining returns the times of the part of a room's span that follows its cursor. A zero time is
// unbounded.
func remaining(span chat.MessageRange) (from, to time.Time) {
	from, to = span.From, span.To
	switch {
	case span.After == nil:
	case span.Order == chat.Oldest:
		from = span.After.At
	default:
		to = span.After.At.Add(time.Millisecond) // the cursor's instant may have more messages
	}
	return from, to
}

// sharesNow returns the shares of the shards if nothing is known about them: equal shares of the
// shards that are read immediately. Deferred shards are likely to hold as much once they are
// reached.
func sharesNow(windows []window) []float64 {
	now := 0
	for _, w := range windows {
		if !w.deferred {
			now++
		}
	}
	shares := equalShares(len(windows))
	for i := range shares {
		if now > 0 {
			shares[i] = 1 / float64(now)
		}
	}
	return shares
}
