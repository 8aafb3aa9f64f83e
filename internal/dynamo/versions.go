package dynamo

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// weighty is an item that counts toward a page's size.
type weighty interface{ PageBytes() int }

// Versions describes numbered items, each under a key of its own.
type Versions[T weighty] struct {
	Operation string // for errors and Usage
	Key       func(number int) table.Item
	Parse     func(table.Item) (T, error)
}

// fitting returns the number of versions that certainly fit in a page of the given weight,
// provided that their texts need no escapes in JSON.
func fitting(weight int) int {
	return (chat.MaxPageBytes - weight) / (chat.Version{}.PageBytes() + chat.MaxText)
}

// PageOfVersions reads the newest version and those before it by their keys: 1 read unit for every
// 4 KB of each. One read requests as many as certainly fit in a page, so nothing is read in vain
// unless texts are full of escapes.
func PageOfVersions[T weighty](ctx context.Context, t *Table, v Versions[T], newest, limit int) ([]T, error) {
	var page []T
	weight := 0
	for next := newest; next >= 1 && len(page) < limit; {
		fit := fitting(weight)
		if fit < 1 {
			break
		}
		var keys []table.Item
		for ; next >= 1 && len(keys) < min(fit, limit-len(page)); next-- {
			keys = append(keys, v.Key(next))
		}
		items, err := t.BatchGet(ctx, v.Operation, keys, Strong)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			version, err := v.Parse(item)
			if err != nil {
				return nil, translate(v.Operation, err)
			}
			if weight += version.PageBytes(); weight > chat.MaxPageBytes && len(page) > 0 {
				return page, nil
			}
			page = append(page, version)
		}
	}
	return page, nil
}

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
