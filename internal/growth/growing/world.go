// Package growing lets a room on a real engine grow and shrink by itself. Meanwhile people post to
// the service, the feed function reads the table's stream, and readers page and follow the feed.
// The rates are a twentieth of DynamoDB's partition rates, so that one machine reaches them.
package growing

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/growth"
	localstream "example.com/parley/internal/local/stream"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/stream"
)

const (
	// Scale is the fraction of a partition's rate that a shard accepts here.
	Scale = 1.0 / 20
	// room is the room that grows, and owner the person who created it.
	room  = chat.RoomID("seattle")
	owner = chat.UserID("owner")
	// people is how many people write, all equally often.
	people = 500
	// sendRate exceeds the messages a second that anybody here sends.
	sendRate = 1_000_000
	tableOf  = "growing"
)

// world is an engine with its processes. They share a clock that can be advanced.
type world struct {
	writers []*app.Services
	reader  *app.Services
	store   *dynamo.Store
	ahead   atomic.Int64 // relative to the machine's clock, in nanoseconds
	moving  sync.RWMutex // read-locked during a call, so that no days pass in it
	placed  atomic.Int64 // the highest shard of a message in the feed
	rate    atomic.Int64 // messages a second, as the feed function sees them
	stop    func()
}

func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// move advances the clock while no call is running.
func (w *world) move(d time.Duration) {
	w.moving.Lock()
	defer w.moving.Unlock()
	w.ahead.Add(int64(d))
}

// call makes a call of the service.
func (w *world) call(f func() error) error {
	w.moving.RLock()
	defer w.moving.RUnlock()
	return f()
}

// newWorld creates the room on an engine, and starts its feed function. dir is for its position.
func newWorld(ctx context.Context, endpoint, dir string) (*world, error) {
	db := dynamo.LocalClient(endpoint)
	if err := dynamo.CreateTable(ctx, db, tableOf); err != nil {
		return nil, err
	}
	arn, err := dynamo.EnableStream(ctx, db, tableOf)
	if err != nil {
		return nil, err
	}
	w := &world{}
	w.store = w.newStore(endpoint)
	const processes = 2
	for range processes {
		w.writers = append(w.writers, w.process(endpoint))
	}
	w.reader = w.process(endpoint)
	if _, _, err := w.writers[0].PutRoom(ctx, owner, room, chat.RoomDraft{}); err != nil {
		return nil, err
	}
	return w, w.startFeed(ctx, endpoint, arn, filepath.Join(dir, "position"))
}

func (w *world) newStore(endpoint string) *dynamo.Store {
	return dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: tableOf, Clock: w.now})
}

// process returns the services of a process, with its own caches.
func (w *world) process(endpoint string) *app.Services {
	db := dynamo.LocalClient(endpoint)
	return app.New(app.Options{
		Store: w.newStore(endpoint), Logs: dynamo.NewLog(db, dynamo.Options{Table: tableOf}), Live: dynamo.NewLive(db, dynamo.Options{Table: tableOf}),
		Clock: w.now, Random: rand.Reader, SendRate: sendRate, SendBurst: sendRate,
	})
}

// scaled returns the rule for shards that accept a fraction of the rate of DynamoDB's.
func scaled() shard.Rule {
	r := shard.StandardRule()
	return shard.Rule{GrowAbove: r.GrowAbove * Scale, GrowTo: r.GrowTo * Scale}
}

// startFeed delivers the stream to the feed function until the world stops.
func (w *world) startFeed(ctx context.Context, endpoint, arn, file string) error {
	log := slog.New(slog.DiscardHandler)
	parts := feedfn.Config{
		DB: dynamo.LocalClient(endpoint), Table: tableOf, Failures: noFailures{}, Log: log,
		Watcher: growth.NewWatcherBy(scaled(), w.newStore(endpoint), w.now, log), Consumers: []stream.Consumer{w},
	}
	streams, end := localstream.NewClient(endpoint)
	poller, err := localstream.Open(ctx, localstream.Config{
		Streams: streams, ARN: arn, Function: parts.Function(), File: file, Log: log,
		Filter: localstream.TableFilter(),
	})
	if err != nil {
		end()
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { poller.Run(ctx) })
	w.stop = func() {
		cancel()
		running.Wait()
		end()
	}
	return nil
}

// Consume implements stream.Consumer. It records the shards of messages and their rate per second.
func (w *world) Consume(_ context.Context, b feed.Batch) error {
	for _, a := range b.Rooms {
		w.rate.Store(int64(a.Rate.Mean))
		for _, e := range a.Entries {
			w.placed.Store(max(w.placed.Load(), int64(e.Item.Shard)))
		}
	}
	return nil
}

// noFailures fails a batch with a record that the feed function does not understand.
type noFailures struct{}

// Keep implements stream.Failures.
func (noFailures) Keep(_ context.Context, f stream.Failure) error {
	return fmt.Errorf("a record failed: %+v", f)
}
