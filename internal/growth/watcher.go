package growth

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/expiring"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/shard"
)

const (
	// busyInterval is how often a process reads the plan of a busy room.
	busyInterval = 2 * time.Second
	// quietInterval is how often a process reads the plan of a quiet room with several shards, to
	// see whether it may shrink: half a cent a month for each room and process.
	quietInterval = time.Hour

	// splitTime is how long DynamoDB may take to split partitions that the hashes of several
	// shards share, until no write is refused. AWS does not document this time. The simulation
	// assumes a minute for each split, and with four it has no refusals.
	splitTime = 4 * time.Minute
	// mostBehind limits the lag of a feed across which its rate is extrapolated.
	mostBehind = time.Minute
	// mostRise limits the assumed rise of a rate: a few seconds of a quiet room mean little, and
	// its extra shards would stay for a day.
	mostRise = 4
)

// Watcher grows and shrinks rooms by the rate of their messages. It implements stream.Consumer: a
// missed batch does not matter, because the next one is as good.
type Watcher struct {
	changes
	rule        shard.Rule
	busy, quiet *expiring.Cache[chat.RoomID, struct{}] // the rooms whose plans were read
}

// NewWatcher returns a watcher with the standard rule.
func NewWatcher(store Store, clock func() time.Time, log *slog.Logger) *Watcher {
	return NewWatcherBy(shard.StandardRule(), store, clock, log)
}

// NewWatcherBy returns a watcher with a given rule.
func NewWatcherBy(rule shard.Rule, store Store, clock func() time.Time, log *slog.Logger) *Watcher {
	return &Watcher{
		changes: changes{store: store, clock: clock, log: log}, rule: rule,
		busy:  expiring.NewCache[chat.RoomID, struct{}](busyInterval, clock),
		quiet: expiring.NewCache[chat.RoomID, struct{}](quietInterval, clock),
	}
}

// Consume changes the shards of the rooms of a batch that need it. Quiet rooms with one shard
// cost nothing, except a read in each quietInterval by the rule shard.OneShard.
func (w *Watcher) Consume(ctx context.Context, b feed.Batch) error {
	var errs []error
	for _, a := range b.Rooms {
		if w.due(a) {
			errs = append(errs, w.adjust(ctx, a))
		}
	}
	return errors.Join(errs...)
}

// due reports whether the plan of a room should be read now.
func (w *Watcher) due(a feed.Appended) bool {
	seen, n := w.quiet, shardsSeen(a)
	if w.rule.Busy(w.ahead(a), n) {
		seen = w.busy
	} else if n == 1 && !w.rule.One { // a message of a room with more may be in the first one
		return false
	}
	if _, ok := seen.Get(a.Room); ok {
		return false
	}
	seen.Put(a.Room, struct{}{}, w.clock())
	return true
}

// ahead returns the rate that a room will have when its next shards have their own partitions, if
// its rate keeps rising. A room that gets only the shards it needs now would always be late. The
// rate is measured at the end of the feed, which may be behind.
func (w *Watcher) ahead(a feed.Appended) float64 {
	behind := min(max(0, w.clock().Sub(a.Rate.At)), mostBehind)
	return min(a.Rate.Ahead(behind+Delay+busyInterval+splitTime), mostRise*a.Rate.Mean)
}

// shardsSeen returns the minimum number of shards that the places of the entries imply.
func shardsSeen(a feed.Appended) int {
	n := 1
	for _, e := range a.Entries {
		n = max(n, e.Item.Shard)
	}
	return n
}

// adjust changes the shards of a room as its load requires.
func (w *Watcher) adjust(ctx context.Context, a feed.Appended) error {
	soon := w.ahead(a)
	_, err := w.apply(ctx, a.Room, func(p Plan, now time.Time) (Plan, bool) {
		if p.Pinned {
			return p, false
		}
		after, ok := p.with(w.rule.Target(p.Epochs, p.load(a, soon, now), chat.MaxShards), now)
		if ok {
			w.log.InfoContext(
				ctx, "shards change", "room", a.Room, "from", p.Epochs.Last().N, "to", after.Epochs.Last().N, "rate",
				int(a.Rate.Mean), "ahead", int(soon),
			)
			return after, true
		}
		return p.marked(a, now)
	})
	if chat.KindOf(err) == chat.NotFound {
		return nil // deleted
	}
	return err
}

// load returns the load of a room at the end of a batch. soon is its expected rate.
func (p Plan) load(a feed.Appended, soon float64, now time.Time) shard.Load {
	l := shard.Load{Rate: soon}
	if p.Mark.At.IsZero() {
		return l
	}
	l.Age = now.Sub(p.Mark.At)
	l.Mean = float64(a.Head.Count-p.Mark.Count) / max(1, l.Age.Seconds())
	return l
}

// marked returns the plan with a new mark, if it has none or its mark is too old: the mean covers
// the last day or two. A room with one shard needs no mark.
func (p Plan) marked(a feed.Appended, now time.Time) (Plan, bool) {
	if p.Epochs.Last().N == 1 || !p.Mark.At.IsZero() && now.Sub(p.Mark.At) < 2*shard.ShrinkAfter {
		return p, false
	}
	after := p.next()
	after.Mark = Mark{At: now.UTC().Truncate(time.Second), Count: a.Head.Count}
	return after, true
}
