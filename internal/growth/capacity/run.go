package capacity

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/growth"
	"parley/internal/shard"
)

// Retries are the attempts of the service at one write.
type Retries struct {
	Attempts int
	Wait     func(attempt int, random float64) time.Duration
}

// Run simulates a load on a room that has one shard, and the two days after it.
func Run(ctx context.Context, l Load, retries Retries) (Result, error) {
	s := newSimulation(l, retries)
	for s.after() < l.Ramp+hold || s.waiting > 0 {
		s.step()
		if s.ticks%int(time.Second/tick) == 0 {
			if err := s.second(ctx); err != nil {
				return Result{}, err
			}
		}
	}
	err := s.quiet(ctx)
	s.result.Epochs = s.store.plan.Epochs
	return s.result, err
}

// simulation is a room, its table with the index, and the clock of all processes.
type simulation struct {
	load    Load
	retries Retries
	rand    *rand.Rand
	now     time.Time
	ticks   int
	store   *planStore
	watcher *growth.Watcher

	table, index *table
	feed, room   *key
	shards       []shardKeys
	users        map[int][]int // the shards of the people, by the number of shards

	due     float64 // the part of a message that is due
	later   [][]attempt
	waiting int
	created []feed.Count // at each second
	counts  []feed.Count // what the feed has of them
	reached int          // the newest of created that is all in the feed
	result  Result
}

// shardKeys are the partition keys of a shard.
type shardKeys struct{ table, index *key }

// attempt is one attempt to write a message, in one of its sender's requests, which count from 0.
type attempt struct{ shard, request, number int }

// longestWait is more ticks than a retry waits.
const longestWait = int(2*(senderWait<<senderTries)/tick) + 1

func newSimulation(l Load, retries Retries) *simulation {
	s := &simulation{
		load: l, retries: retries, now: time.Unix(1_535_544_000, 0).UTC(),
		rand:  rand.New(rand.NewPCG(1, 1)), //nolint:gosec // a simulation repeats its chance
		store: &planStore{plan: growth.Plan{Epochs: shard.Fixed(1)}},
		table: newTable(l.Warm), index: newTable(l.Warm), users: map[int][]int{}, later: make([][]attempt, longestWait),
	}
	s.result = Result{Load: l, Start: s.now}
	s.watcher = growth.NewWatcher(s.store, func() time.Time { return s.now }, slog.New(slog.DiscardHandler))
	s.feed, s.room = s.table.key("feed#"+l.Room), s.table.key("r#"+l.Room)
	for n := range chat.MaxShards {
		name := fmt.Sprintf("%s-%d", l.Room, n+1)
		s.shards = append(s.shards, shardKeys{s.table.key(name), s.index.key(name)})
	}
	return s
}

func (s *simulation) after() time.Duration { return time.Duration(s.ticks) * tick }

// step writes the messages of a tick, after the retries that are due.
func (s *simulation) step() {
	s.table.refill(tick)
	s.index.refill(tick)
	slot := s.ticks % longestWait
	retries := s.later[slot]
	s.later[slot] = nil
	for _, a := range retries {
		s.waiting--
		s.write(a)
	}
	if s.after() < s.load.Ramp+hold {
		s.due += s.load.at(s.after()) * tick.Seconds()
		shards := s.shardsOf(s.store.plan.Epochs.At(s.now).N)
		for ; s.due >= 1; s.due-- {
			s.result.Messages++
			s.write(attempt{shard: shards[s.rand.IntN(people)], number: 1})
		}
	}
	s.ticks++
	s.now = s.now.Add(tick)
}

// shardsOf returns the shard of each person among n.
func (s *simulation) shardsOf(n int) []int {
	if s.users[n] == nil {
		for i := range people {
			s.users[n] = append(s.users[n], shard.ForUser(fmt.Sprint("user-", i), n))
		}
	}
	return s.users[n]
}

// write makes an attempt. An index that is behind pushes back on its table, so a write needs the
// units of both.
func (s *simulation) write(a attempt) {
	s.result.Attempts++
	k := s.shards[a.shard]
	if k.table.takes(1) && k.index.takes(1) {
		k.table.take(1)
		k.index.take(1)
		return
	}
	s.result.Throttled++
	wait := s.retries.Wait(a.number, s.rand.Float64())
	if a.number == s.retries.Attempts {
		s.result.Refused++
		if a.request == senderTries-1 {
			s.result.Failed++
			return
		}
		wait = time.Duration(float64(senderWait<<a.request) * (1 + s.rand.Float64()))
		a = attempt{shard: a.shard, request: a.request + 1}
	}
	a.number++
	slot := (s.ticks + 1 + int(wait/tick)) % longestWait
	s.later[slot] = append(s.later[slot], a)
	s.waiting++
}

// second delivers the batch of a second to the watcher, and divides hot partitions.
func (s *simulation) second(ctx context.Context) error {
	created := int64(s.result.Messages - s.result.Failed - s.waiting)
	counted := min(created, s.counted()+feedRate)
	s.result.Behind = max(s.result.Behind, int(created-counted))
	s.feed.take(feedUnits * float64(counted-s.counted()))
	s.count(created, counted)
	s.table.second()
	s.index.second()
	processes := s.load.at(s.after()) * inFunction.Seconds()
	s.result.RoomReads = max(s.result.RoomReads, int(processes*roomUnits))
	delayed := len(s.counts) - int(feedDelay/time.Second)
	return s.deliver(ctx, s.counts[:delayed])
}

// count adds the counts of a second. Those of the feed have the times at which the messages were
// created, which are before now if the feed is behind.
func (s *simulation) count(created, counted int64) {
	s.created = append(s.created, feed.Count{At: s.now, Messages: created})
	for s.reached+1 < len(s.created) && s.created[s.reached+1].Messages <= counted {
		s.reached++
	}
	s.counts = append(s.counts, feed.Count{At: s.created[s.reached].At, Messages: counted})
}

// counted returns how many messages the feed has counted.
func (s *simulation) counted() int64 {
	if len(s.counts) == 0 {
		return 0
	}
	return s.counts[len(s.counts)-1].Messages
}

// deliver passes the end of the feed to the watcher.
func (s *simulation) deliver(ctx context.Context, counts []feed.Count) error {
	if len(counts) == 0 {
		return nil
	}
	room, last := chat.RoomID(s.load.Room), counts[len(counts)-1]
	e := feed.AppendedEntry{}
	e.Item.Shard = s.store.plan.Epochs.At(s.now).N // that of some message
	return s.watcher.Consume(ctx, feed.Batch{Rooms: []feed.Appended{{
		Room: room, Rate: feed.RateOf(backward(counts)), Entries: []feed.AppendedEntry{e},
		Head: feed.Head{Room: room, Count: last.Messages},
	}}})
}

func backward(counts []feed.Count) iter.Seq[feed.Count] {
	return func(yield func(feed.Count) bool) {
		for _, c := range slices.Backward(counts) {
			if !yield(c) {
				return
			}
		}
	}
}

// quiet lets two days pass with a message an hour.
func (s *simulation) quiet(ctx context.Context) error {
	for range 48 {
		s.now = s.now.Add(time.Hour)
		s.counts = append(s.counts, feed.Count{At: s.now, Messages: s.counted() + 1})
		if err := s.deliver(ctx, s.counts); err != nil {
			return err
		}
	}
	return nil
}

// planStore keeps the plan of the one room. Its writes take no time: the delay of an epoch allows
// for them already.
type planStore struct{ plan growth.Plan }

// ShardPlan implements growth.Store.
func (p *planStore) ShardPlan(context.Context, chat.RoomID) (growth.Plan, error) { return p.plan, nil }

// ReplaceShardPlan implements growth.Store.
func (p *planStore) ReplaceShardPlan(_ context.Context, _ chat.RoomID, before, after growth.Plan) (bool, error) {
	if p.plan.Writes != before.Writes {
		return false, nil
	}
	p.plan = after
	return true, nil
}
