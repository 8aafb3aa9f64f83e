package history_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

const (
	// pumpInterval lets writes accumulate, so that batches can be split.
	pumpInterval = 100 * time.Millisecond
	// maxBatch bounds the records of a batch, maxRewind those that are delivered again.
	maxBatch  = 40
	maxRewind = 60
)

// failures is stream.Failures in memory.
type failures struct {
	mu  sync.Mutex
	all []stream.Failure
}

func (f *failures) Keep(_ context.Context, failure stream.Failure) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, failure)
	return nil
}

// consumer receives the whole stream in order and in parts. Some records are delivered again, and a
// failed batch is retried from its first failed record. Its process sometimes restarts without any
// state.
type consumer struct {
	world   *world
	r       *rand.Rand
	store   stream.Store
	handler *stream.Handler
	next    int // the index of the next record
	batches int
}

func (c *consumer) newHandler() *stream.Handler {
	var consumers []stream.Consumer
	if c.world.front != nil {
		consumers = append(consumers, c.world.front.delivery(c.r))
	}
	return stream.NewHandler(stream.Options{
		Store: recordedStore{c.store, c.world.rec}, Failures: c.world.failures, Clock: time.Now, Jitter: rand.Float64,
		Log: slog.New(slog.DiscardHandler), Consumers: consumers,
	})
}

// deliver delivers all records. It reports a finding and stops if a consumer makes no progress.
func (c *consumer) deliver(ctx context.Context, records []events.DynamoDBEventRecord) {
	for tries := 0; c.next < len(records); tries++ {
		if tries > 1000+10*len(records) {
			c.world.rec.report(wrongFeed, "a consumer makes no progress after record %d", c.next)
			return
		}
		if c.r.IntN(8) == 0 {
			c.next = max(0, c.next-c.r.IntN(maxRewind)) // its response was lost
		}
		if c.r.IntN(10) == 0 {
			c.handler = c.newHandler()
		}
		batch := records[c.next:min(len(records), c.next+1+c.r.IntN(maxBatch))]
		delivered := batch
		if c.r.IntN(10) == 0 {
			delivered = slices.Concat(batch, batch)
		}
		res, err := c.handler.Handle(ctx, events.DynamoDBEvent{Records: delivered})
		if err != nil {
			c.world.rec.report(wrongFeed, "a batch failed: %v", err)
			return
		}
		c.batches++
		c.next += completed(batch, res)
	}
}

// completed returns the number of records before the first that failed.
func completed(batch []events.DynamoDBEventRecord, res events.DynamoDBEventResponse) int {
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

// pump reads the stream and delivers it until the clients are done, and once after that. Either all
// consumers receive it concurrently or only one does: several consumers would repair each other's
// losses.
func (w *world) pump(done <-chan struct{}) {
	r := rand.New(rand.NewPCG(w.setup.seed, 999))
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-time.After(pumpInterval):
		}
		acknowledged := w.rec.acknowledged()
		w.records = append(w.records, w.stream.Next(w.t)...)
		var all sync.WaitGroup
		alone := r.IntN(2 * len(w.consumers))
		for n, c := range w.consumers {
			if alone < len(w.consumers) && alone != n {
				c.next = len(w.records)
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

// feedState is the part of a feed that the barrier has read.
type feedState struct {
	since int64
	seqs  map[feed.Change]int64 // by identity
}

// barrier checks that every change that was acknowledged before the stream was read is in the feed.
func (w *world) barrier(room chat.RoomID, acknowledged []feed.Change) {
	s := w.feeds[room]
	reader := &client{world: w, n: -1, user: person(0), service: w.reliable}
	for {
		changes, ok := reader.changes(room, s.since, chat.MaxLimit)
		if !ok || len(changes.Entries) == 0 {
			break
		}
		for _, e := range changes.Entries {
			s.seqs[e.Change.Identity()] = e.Seq
			s.since = e.Seq
		}
	}
	for _, c := range acknowledged {
		if s.seqs[c] == 0 {
			w.rec.report(undelivered, "%s: revision %d of %s", room, c.Revision, c.Message)
		}
	}
}
