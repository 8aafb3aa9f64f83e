package measure

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

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
