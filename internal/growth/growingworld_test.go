package growth_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/live"
	localstream "example.com/parley/internal/local/stream"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
)

const (
	growingTable  = "growing"
	growingRoomID = chat.RoomID("seattle")
	growingOwner  = chat.UserID("owner")
	// growingRate exceeds the messages a second that anybody here sends.
	growingRate = 1_000_000
)

// scaledRule returns the rule for shards that accept a twentieth of DynamoDB's rate, so that one
// machine reaches it.
func scaledRule() shard.Rule {
	r := shard.StandardRule()
	return shard.Rule{GrowAbove: r.GrowAbove / 20, GrowTo: r.GrowTo / 20}
}

// growingWorld is an engine with its processes. They share a clock that can be advanced.
type growingWorld struct {
	writers []*app.Services
	reader  *app.Services
	store   *dynamo.Store
	ahead   atomic.Int64 // of the machine's clock, in nanoseconds
	moving  sync.RWMutex // read-locked during a call, so that no days pass in it
	placed  atomic.Int64 // the highest shard of a message in the feed
	rate    atomic.Int64 // messages a second, as the feed function sees them
}

func (w *growingWorld) now() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }

// advance advances the clock while no call is running.
func (w *growingWorld) advance(d time.Duration) {
	w.moving.Lock()
	defer w.moving.Unlock()
	w.ahead.Add(int64(d))
}

// call makes a call of the service.
func (w *growingWorld) call(f func() error) error {
	w.moving.RLock()
	defer w.moving.RUnlock()
	return f()
}

// newGrowingWorld creates the room on a new engine, and starts its feed function.
func newGrowingWorld(t *testing.T) *growingWorld {
	t.Helper()
	endpoint := enginetest.Start(t)
	db := dynamo.LocalClient(endpoint)
	if err := dynamo.CreateTable(t.Context(), db, growingTable); err != nil {
		t.Fatal(err)
	}
	arn, err := dynamo.EnableStream(t.Context(), db, growingTable)
	if err != nil {
		t.Fatal(err)
	}
	w := &growingWorld{}
	w.store = w.newStore(endpoint)
	w.writers = []*app.Services{w.process(endpoint), w.process(endpoint)}
	w.reader = w.process(endpoint)
	if _, _, err := w.writers[0].PutRoom(t.Context(), growingOwner, growingRoomID, chat.RoomDraft{}); err != nil {
		t.Fatal(err)
	}
	w.startFeed(t, endpoint, arn)
	return w
}

func (w *growingWorld) newStore(endpoint string) *dynamo.Store {
	return dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: growingTable, Clock: w.now})
}

// process returns the services of a process, with its own caches.
func (w *growingWorld) process(endpoint string) *app.Services {
	db, o := dynamo.LocalClient(endpoint), dynamo.Options{Table: growingTable}
	return app.New(app.Options{
		Store: w.newStore(endpoint), Logs: activity.NewStore(dynamo.NewLogTable(db, o.Table, o.Observe)), Live: live.NewTable(dynamo.NewTable(db, o.Table, o.Observe)),
		Clock: w.now, Random: rand.Reader, SendRate: growingRate, SendBurst: growingRate,
	})
}

// startFeed delivers the stream to the feed function until the test ends.
func (w *growingWorld) startFeed(t *testing.T, endpoint, arn string) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	parts := feedfn.Config{
		DB: dynamo.LocalClient(endpoint), Table: growingTable, Failures: noFailures{}, Log: log,
		Watcher: growth.NewWatcherBy(scaledRule(), w.newStore(endpoint), w.now, log), Consumers: []stream.Consumer{w},
	}
	streams, end := localstream.NewClient(endpoint)
	t.Cleanup(end)
	poller, err := localstream.Open(t.Context(), localstream.Config{
		Streams: streams, ARN: arn, Function: parts.Function(), File: filepath.Join(t.TempDir(), "position"), Log: log, Clock: time.Now,
		Filter: localstream.TableFilter(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background()) //nolint:usetesting // it ends after the test's own context
	var running sync.WaitGroup
	running.Go(func() { poller.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// Consume implements stream.Consumer. It records the shards of messages and their rate per second.
func (w *growingWorld) Consume(_ context.Context, b feed.Batch) error {
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

// growingReader follows the room's feed and pages through the room. It must see each message once.
type growingReader struct {
	*growingWorld
	since    chat.FeedPosition
	last     int64
	followed map[chat.MessageID]bool
	walks    int
}

// follow reads new changes, and fails if a number or a message is missing or repeated.
func (r *growingReader) follow(ctx context.Context) error {
	for {
		var c feed.Changes
		err := r.call(func() (err error) {
			c, err = r.reader.Feed.Changes(ctx, growingOwner, growingRoomID, r.since, chat.MaxLimit)
			return err
		})
		if err != nil {
			return err
		}
		if c.Reset {
			return fmt.Errorf("the feed does not continue after %d", r.last)
		}
		for _, e := range c.Entries {
			if r.last > 0 && e.Seq != r.last+1 {
				return fmt.Errorf("change %d follows change %d", e.Seq, r.last)
			}
			if r.last = e.Seq; e.Message == nil {
				continue
			}
			if r.followed[e.Message.ID] {
				return fmt.Errorf("the feed repeats %v", e.Message.ID)
			}
			r.followed[e.Message.ID] = true
		}
		if r.since = c.Since; len(c.Entries) == 0 {
			return nil
		}
	}
}

// walk pages through the room, oldest first, and fails if a message is repeated or one in want is
// missing. The messages in want were acknowledged before.
func (r *growingReader) walk(ctx context.Context, want []chat.MessageID) error {
	r.walks++
	seen, order := map[chat.MessageID]bool{}, chat.Oldest
	for q := (chat.MessageQuery{Room: growingRoomID, Order: &order, Limit: chat.MaxLimit}); ; {
		var page chat.MessagePage
		err := r.call(func() (err error) {
			page, err = r.reader.Messages(ctx, growingOwner, q)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range page.Items {
			if seen[m.ID] {
				return fmt.Errorf("pages repeat %v", m.ID)
			}
			seen[m.ID] = true
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return missing(want, seen, "pages")
		}
	}
}

// missing returns an error if a message was not seen.
func missing(want []chat.MessageID, seen map[chat.MessageID]bool, where string) error {
	for n, id := range want {
		if !seen[id] {
			return fmt.Errorf("%s miss message %d of %d, %v", where, n, len(want), id)
		}
	}
	return nil
}
