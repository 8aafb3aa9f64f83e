package measure

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
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

const (
	// catchUp is the number of messages that a client has missed.
	catchUp = 1000
	// feedDelay is how long after its receipt a message is in the feed.
	feedDelay = 200 * time.Millisecond
)

// CatchUps measures the reads of a client that has missed messages, in busy rooms and in rooms
// that store each change in its own segment.
func (b *Bench) CatchUps(ctx context.Context) ([]Figure, error) {
	var figures []Figure
	for _, in := range []struct {
		name, goal    string
		shards, batch int
		between       time.Duration // two messages
	}{
		{"a quiet room", "≤ 60", 1, 1, 10 * time.Second},
		{"a quiet room of 16 shards", "", 16, 1, 10 * time.Second},
		{"a room with 20 messages a second", "≤ 60", 1, 5, 50 * time.Millisecond},
		{"a room with 100 messages a second", "≤ 60", 1, 25, 10 * time.Millisecond},
		{"a room with 500 messages a second", "", 1, 100, 2 * time.Millisecond},
	} {
		room := chat.RoomID(fmt.Sprintf("catchup-%d-%d", in.shards, in.batch))
		if err := b.missed(ctx, room, in.shards, in.batch, in.between); err != nil {
			return nil, fmt.Errorf("fill %s: %w", in.name, err)
		}
		units, pages, err := b.catchUp(ctx, room)
		if err != nil {
			return nil, fmt.Errorf("catch up with %s: %w", in.name, err)
		}
		figures = append(figures, Figure{
			Name:  fmt.Sprintf("read units, catch-up of %d in %d pages, %s", b.scale.of(catchUp), pages, in.name),
			Value: fmt.Sprintf("%.1f", units), Goal: in.goal,
		})
	}
	return figures, nil
}

// missed creates a room with messages and their feed, in segments of some changes each.
func (b *Bench) missed(ctx context.Context, room chat.RoomID, shards, batch int, between time.Duration) error {
	store := dynamo.New(b.db, dynamo.Options{Table: b.table, Clock: time.Now})
	made := chat.Room{
		ID: room, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: shards, DigestKey: []byte("k"),
	}
	if _, err := store.CreateRoom(ctx, made, chat.OwnerOf(made, "bench")); err != nil {
		return err
	}
	now := start
	appender := stream.NewAppender(stream.Options{Store: store, Clock: func() time.Time { return now.Add(feedDelay) }})
	var changes []feed.StreamChange
	for i, m := range b.talk(room)[:b.scale.of(catchUp)] {
		now = start.Add(time.Duration(i) * between)
		m.ID.UUID, m.ReceivedAt, m.Revision = chat.NewUUID(now, [10]byte{byte(i >> 8), 0, byte(i)}), now, 1
		if _, _, err := store.PutMessage(ctx, m); err != nil {
			return err
		}
		changes = append(changes, feed.StreamChange{
			Change: feed.ChangeOf(m), Created: now.Truncate(time.Second), Item: feed.ChangedItem{Message: &m},
		})
		if len(changes) < batch {
			continue
		}
		if _, err := appender.Append(ctx, room, feedGeneration, changes); err != nil {
			return err
		}
		changes = nil
	}
	return nil
}

// catchUp reads all changes of a room, in pages of the maximum size.
func (b *Bench) catchUp(ctx context.Context, room chat.RoomID) (units float64, pages int, err error) {
	b.reset()
	clock := func() time.Time { return start.Add(time.Hour) } // before the feed expires
	store := dynamo.New(b.db, dynamo.Options{Table: b.table, Clock: clock, Observe: b.observe})
	service := app.New(app.Options{Store: store, Clock: clock, Random: rand.Reader})
	for since := (chat.FeedPosition{}); ; pages++ {
		c, err := service.Feed.Changes(ctx, "many", room, since, chat.MaxLimit)
		if err != nil {
			return 0, 0, err
		}
		if c.Reset {
			return 0, 0, fmt.Errorf("the feed of %s does not go on from %d", room, since.Seq)
		}
		if since = c.Since; since.Seq == c.Head {
			return b.reset().units, pages + 1, nil
		}
	}
}
