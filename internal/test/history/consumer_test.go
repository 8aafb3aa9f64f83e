package history_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feed"
	"parley/internal/feedwriter"
)

const (
	// pumpEvery lets some writes gather, so that batches are worth splitting.
	pumpEvery = 100 * time.Millisecond
	// maxBatch and maxRewind bound what a consumer is given at once, and what it is given again.
	maxBatch  = 40
	maxRewind = 60
)

// failures is feedwriter.Failures in memory.
type failures struct {
	mu  sync.Mutex
	all []feedwriter.Failure
}

func (f *failures) Keep(_ context.Context, failure feedwriter.Failure) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, failure)
	return nil
}

// consumer is one who is given the whole stream: in pieces, in order, some of it again, and
// from where it failed on. Its process ends at times, and the next one remembers nothing.
type consumer struct {
	world   *world
	r       *rand.Rand
	store   feedwriter.Store
	handler *feedwriter.Handler
	at      int // how far it is
	batches int
}

func (c *consumer) fresh() *feedwriter.Handler {
	return feedwriter.NewHandler(feedwriter.Options{
		Read: dynamo.ReadRecord, Store: recordedStore{c.store, c.world.rec}, Failures: c.world.failures, Clock: time.Now, Jitter: rand.Float64,
		Log: slog.New(slog.DiscardHandler),
	})
}

// deliver delivers all records. It gives up, as no stream would, when there is no end of it.
func (c *consumer) deliver(ctx context.Context, records []events.DynamoDBEventRecord) {
	for tries := 0; c.at < len(records); tries++ {
		if tries > 1000+10*len(records) {
			c.world.rec.found(wrongFeed, "a consumer does not come past record %d", c.at)
			return
		}
		if c.r.IntN(8) == 0 {
			c.at = max(0, c.at-c.r.IntN(maxRewind)) // its answer was lost
		}
		if c.r.IntN(10) == 0 {
			c.handler = c.fresh()
		}
		batch := records[c.at:min(len(records), c.at+1+c.r.IntN(maxBatch))]
		given := batch
		if c.r.IntN(10) == 0 {
			given = slices.Concat(batch, batch)
		}
		res, err := c.handler.Handle(ctx, events.DynamoDBEvent{Records: given})
		if err != nil {
			c.world.rec.found(wrongFeed, "a batch failed: %v", err)
			return
		}
		c.batches++
		c.at += doneOf(batch, res)
	}
}

// doneOf is how many records of a batch need not come again: those before the first that failed.
func doneOf(batch []events.DynamoDBEventRecord, res events.DynamoDBEventResponse) int {
	failed := map[string]bool{}
	for _, f := range res.BatchItemFailures {
		failed[f.ItemIdentifier] = true
	}
	for i, r := range batch {
		if failed[r.Change.SequenceNumber] {
			return i
		}
	}
	return len(batch)
}

// pump reads the stream and has it delivered until the clients are done, and once more: to all consumers at once, or to one
// alone, since what one of them loses another would make good.
func (w *world) pump(done <-chan struct{}) {
	r := rand.New(rand.NewPCG(w.setup.seed, 999))
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-time.After(pumpEvery):
		}
		acknowledged := w.rec.acknowledged()
		w.records = append(w.records, w.stream.Next(w.t)...)
		var all sync.WaitGroup
		alone := r.IntN(2 * len(w.consumers))
		for n, c := range w.consumers {
			if alone < len(w.consumers) && alone != n {
				c.at = len(w.records)
				continue
			}
			all.Go(func() { c.deliver(w.t.Context(), w.records) })
		}
		all.Wait()
		for room := range w.pools {
			w.barrier(room, acknowledged[room])
		}
	}
}

// seen is what the barrier has read of a feed.
type seen struct {
	since int64
	at    map[feed.Change]int64 // by identity
}

// barrier checks that whatever was acknowledged before the stream was read, and delivered, can be read
// from the feed.
func (w *world) barrier(room chat.RoomID, acknowledged []feed.Change) {
	s := w.feeds[room]
	reader := &client{world: w, n: -1, user: person(0), service: w.sound}
	for {
		changes, ok := reader.changes(room, s.since, chat.MaxLimit)
		if !ok || len(changes.Entries) == 0 {
			break
		}
		for _, e := range changes.Entries {
			s.at[e.Change.Identity()] = e.Seq
			s.since = e.Seq
		}
	}
	for _, c := range acknowledged {
		if s.at[c] == 0 {
			w.rec.found(undelivered, "%s: revision %d of %s", room, c.Revision, c.Message)
		}
	}
}
