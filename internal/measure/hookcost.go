package measure

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/deliverfn"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/stream"
)

// HookUse is the consumption of deliveries to the address of one hook, for each change.
type HookUse struct {
	Reads, Writes float64 // units, of the outbox and of the delivery
	Requests      float64 // of the queue: a wake-up is sent, received and removed
	Calls         float64 // of the outbox function and of the deliver function
	Bytes         float64 // of the requests to the receiver, with their headers
}

// HookUse counts the consumption of deliveries that have some changes of one room each, to a
// receiver that accepts all. Each delivery finds empty caches, as in a process that has just
// started.
func (b *Bench) HookUse(ctx context.Context, changes int) (use HookUse, err error) {
	r, err := startHookReceiver(ctx)
	if err != nil {
		return use, err
	}
	defer r.close()
	c, err := b.newHookCount(ctx, chat.RoomID(fmt.Sprintf("hooks-%d", changes)), r.url)
	if err != nil {
		return use, err
	}
	deliveries := b.scale.of(repeats)
	for n := range deliveries + 1 {
		if n == 1 { // the first one creates the feed and the cursor
			c.units.read, c.units.write, c.calls, c.requests, r.bytes = 0, 0, 0, 0, 0
		}
		if err := c.deliver(ctx, changes); err != nil {
			return use, err
		}
		if _, err := r.wait(ctx, string(c.room), (n+1)*changes); err != nil {
			return use, err
		}
	}
	of := float64(deliveries * changes)
	return HookUse{
		Reads: c.units.read / of, Writes: c.units.write / of, Requests: float64(c.requests) / of,
		Calls: float64(c.calls) / of, Bytes: float64(r.bytes) / of,
	}, nil
}

// hookCount counts the consumption of deliveries of one room. It is the queue of its outbox.
type hookCount struct {
	room      chat.RoomID
	units     units
	store     *dynamo.Store // not counted
	appender  *stream.Appender
	outbox    *hook.Outbox
	processes deliverfn.Config // of the deliver function
	posted    int
	next      int64 // the number of the room's next change

	waiting         []hook.Wake
	calls, requests int
}

// newHookCount creates a room, and a hook that has only this room.
func (b *Bench) newHookCount(ctx context.Context, room chat.RoomID, url string) (*hookCount, error) {
	c := &hookCount{room: room, next: 1}
	c.store = dynamo.New(b.db, dynamo.Options{Table: b.table, Clock: time.Now})
	made := chat.Room{ID: room, Name: "bench", CreatedBy: "bench", CreatedAt: start, Shards: 1, DigestKey: []byte("k")}
	if _, err := c.store.CreateRoom(ctx, made, chat.OwnerOf(made, "bench")); err != nil {
		return nil, err
	}
	loopback := outgoing.Options{Loopback: true}
	rooms := chat.NewService(chat.Options{Store: c.store, Clock: time.Now})
	hooks := hook.NewService(hook.Options{
		Table: c.store.Table(), Feed: feed.NewService(c.store, rooms, time.Now), Tails: c.store, Clock: time.Now,
		Random: rand.Reader, Addresses: loopback,
	})
	settings := hook.Settings{Wanted: hook.Wanted{Rooms: []chat.RoomID{room}}, URL: url}
	if _, _, _, err := hooks.Put(ctx, hook.ForService(hookService), hook.ID(room), settings); err != nil {
		return nil, err
	}
	c.appender = stream.NewAppender(stream.Options{Store: c.store, Clock: time.Now})
	c.outbox = hook.NewOutbox(dynamo.NewTable(b.db, b.table, c.units.observe), c, time.Now, hook.Rules{On: true})
	c.processes = deliverfn.Config{
		DB: b.db, Table: b.table, Addresses: loopback, Log: slog.New(slog.DiscardHandler), Clock: time.Now,
		Observe: c.units.observe,
	}
	return c, nil
}

// Send implements hook.Queue. A request of the queue has all wake-ups of this room.
func (c *hookCount) Send(_ context.Context, wakes []hook.Wake) error {
	c.waiting = append(c.waiting, wakes...)
	c.requests++
	return nil
}

// deliver posts messages, appends them to the feed as one segment, and delivers them in a new
// process.
func (c *hookCount) deliver(ctx context.Context, n int) error {
	var changes []feed.StreamChange
	for range n {
		c.posted++
		at := time.Now().UTC().Truncate(time.Millisecond)
		tail := [10]byte{8: byte(c.posted >> 8), 9: byte(c.posted)}
		m := chat.Message{
			Room: c.room, ID: chat.MessageID{UUID: chat.NewUUID(at, tail), User: typicalUser}, ReceivedAt: at,
			Text: strings.Repeat("a", typicalText), Revision: 1, Digest: make([]byte, 16),
		}
		if _, _, err := c.store.PutMessage(ctx, m); err != nil {
			return err
		}
		changes = append(changes, feed.StreamChange{Change: feed.ChangeOf(m), Created: at})
	}
	if _, err := c.appender.Append(ctx, c.room, feedGeneration, changes); err != nil {
		return err
	}
	news := hook.News{Room: c.room, First: c.next, Generation: feedGeneration}
	c.next += int64(n)
	c.calls++
	if err := c.outbox.Wake(ctx, []hook.News{news}, nil); err != nil {
		return err
	}
	wakes := c.waiting
	c.waiting = nil
	c.calls++
	c.requests += 2 // they are received and removed together
	pause, err := c.processes.Deliverer().Deliver(ctx, wakes)
	if err == nil && pause > 0 {
		err = fmt.Errorf("the delivery pauses for %v", pause)
	}
	return err
}
