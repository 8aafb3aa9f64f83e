package measure

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// partitionWrites is the write limit of one partition, in units a second. A room's feed is one
// partition.
const partitionWrites = 1000

// Feeds measures the cost of a change in a room's feed, by batch size and by the number of
// consumers that write one feed. It also derives how many changes a second the feed can accept.
func (b *Bench) Feeds(ctx context.Context) ([]Figure, error) {
	var figures []Figure
	for _, load := range feedLoads {
		cost, err := b.feedLoad(ctx, load)
		if err != nil {
			return nil, err
		}
		figures = append(figures, Figure{
			Name: fmt.Sprintf("feed, %d consumers, %d changes at once", load.consumers, load.batch),
			Value: fmt.Sprintf("%.3f write and %.3f read units a change, %.1f refused puts for each batch; up to "+
				"%.0f changes/s",
				cost.writes, cost.reads, cost.refused, partitionWrites/cost.writes),
			Goal: load.goal,
		})
	}
	return figures, nil
}

// feedLoad is a load on one feed: each consumer appends some batches.
type feedLoad struct {
	consumers, batch, batches int
	goal                      string
}

var feedLoads = []feedLoad{
	{1, 1, 300, "≤ 1.1 units"}, {1, 10, 100, ""}, {1, 100, 50, "≤ 0.05 units"}, {1, 1000, 20, "≥ 50,000/s"},
	{4, 1, 75, ""}, {4, 10, 50, ""}, {4, 100, 25, ""}, {4, 1000, 10, ""},
	{16, 1, 20, ""}, {16, 10, 20, ""}, {16, 100, 10, ""}, {16, 1000, 4, "≥ 20,000/s"},
}

// feedCost is the consumption of a load: units per change, and refused puts per batch.
type feedCost struct{ writes, reads, refused float64 }

// feedLoad appends batches to one new feed from concurrent consumers.
func (b *Bench) feedLoad(ctx context.Context, load feedLoad) (feedCost, error) {
	room := chat.RoomID(fmt.Sprintf("feed-%d-%d", load.consumers, load.batch))
	var units units
	var refused refused
	db := dynamodb.New(b.db.Options(), refused.option)
	store := dynamo.New(db, dynamo.Options{Table: b.table, Clock: time.Now, Observe: units.observe})
	var all sync.WaitGroup
	errs := make([]error, load.consumers)
	for c := range load.consumers {
		all.Go(func() {
			appender := stream.NewAppender(stream.Options{Store: store, Clock: time.Now})
			for n := range b.scale.of(load.batches) {
				if _, err := appender.Append(ctx, room, "g", someChanges(c, n, load.batch)); err != nil {
					errs[c] = err
					return
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return feedCost{}, err
	}
	batches := float64(load.consumers * load.batches)
	changes := batches * float64(load.batch)
	return feedCost{(units.write + refused.units) / changes, units.read / changes, float64(refused.puts) / batches}, nil
}

// units is the consumption of calls.
type units struct {
	mu          sync.Mutex
	read, write float64
}

func (u *units) observe(_ context.Context, usage dynamo.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if usage.Write {
		u.write += usage.Units
	} else {
		u.read += usage.Units
	}
}

// someChanges returns the new messages of a consumer's nth batch, by twenty users.
func someChanges(consumer, n, size int) []feed.StreamChange {
	now := time.Now().UTC()
	changes := make([]feed.StreamChange, size)
	for i := range changes {
		tail := [10]byte{2: byte(consumer), 3: byte(n), 4: byte(i >> 8), 5: byte(i)}
		id := chat.MessageID{UUID: chat.NewUUID(now, tail), User: chat.UserID(fmt.Sprintf("somebody-%d", i%20))}
		changes[i] = feed.StreamChange{
			Change:  feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1},
			Created: now.Truncate(time.Second),
		}
	}
	return changes
}
