package live_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// interleavings and nightlyInterleavings are the random orders of steps of TestSubscribe_NoGapAndNoLeak.
const interleavings, nightlyInterleavings = 10_000, 1_000_000

// searched bounds the orders within which a seeded fault must show.
const searched = 200_000

func clock() time.Time { return now }

// system is the code under test, as one actor runs it.
type system interface {
	Open(ctx context.Context, c live.Connection, rooms []chat.RoomID) error
	Subscribe(ctx context.Context, c live.Connection, attempt string, wants []live.Want) ([]live.Subscribed, error)
	Unsubscribe(ctx context.Context, c live.Connection, room chat.RoomID) (bool, error)
	Disconnect(ctx context.Context, c live.Connection) ([]chat.RoomID, error)
	HangUp(ctx context.Context, c live.Connection) ([]chat.RoomID, error)
	RemoveUser(ctx context.Context, room chat.RoomID, user chat.UserID) error
	RemovePerson(ctx context.Context, user chat.UserID) error
	// AppendAndConsume appends a change, and delivers it.
	AppendAndConsume(ctx context.Context, c feed.Change) error
	// Consume delivers a batch.
	Consume(ctx context.Context, b feed.Batch) error
}

// right is the package's own code.
type right struct {
	*live.Service
	*live.Delivery
	ports
}

func newRight(p ports) system {
	return right{newService(p, p, p), newDelivery(p, p), p}
}

// newService returns a service on rows, which takes its steps in the goroutine of its actor.
func newService(rows live.Rows, checks checks, p ports) *live.Service {
	return live.NewService(live.Options{
		Store: store{Rows: rows, ConnectionRows: p}, Rooms: checks, Heads: p, Accounts: checks, Clock: clock, Sequential: true,
	})
}

// checks are what a subscriber must pass.
type checks interface {
	chat.Authorizer
	live.Accounts
}

// store has subscriptions and connections.
type store struct {
	live.Rows
	live.Lookup
	live.ConnectionRows
}

// newDelivery returns a delivery on rows, which takes its steps in the goroutine of its actor.
func newDelivery(rows live.Rows, p ports) *live.Delivery { return newDeliveryWith(rows, p, p) }

func newDeliveryWith(rows live.Rows, missed live.MissedRows, p ports) *live.Delivery {
	return live.NewDelivery(live.DeliveryOptions{
		Rows: rows, Connections: p, Rooms: p, Poster: p, Missed: missed, Clock: clock, Log: slog.New(slog.DiscardHandler),
		Times: live.Times{Read: time.Hour, Post: time.Hour}, Sequential: true, Wait: func(context.Context, time.Duration) {},
	})
}

func (r right) AppendAndConsume(ctx context.Context, c feed.Change) error {
	r.actor.step()
	return r.consume(ctx, r.Delivery, r.append(c))
}

// consume delivers an entry, and records that its delivery has ended.
func (p ports) consume(ctx context.Context, d *live.Delivery, a feed.Appended) error {
	err := d.Consume(ctx, feed.Batch{Rooms: []feed.Appended{a}})
	p.sent[a.Head.Last] = true
	return err
}

// TestSubscribe_NoGapAndNoLeak runs subscribers, senders, removals and suspensions in random
// orders of their steps, some of which end in the middle.
func TestSubscribe_NoGapAndNoLeak(t *testing.T) {
	t.Parallel()
	for seed := range uint64(race.Rounds(nightly.Times(interleavings, nightlyInterleavings))) {
		if faults := play(t.Context(), seed, newRight); len(faults) > 0 {
			t.Fatalf("seed %d: %q", seed, faults)
		}
	}
}

// play runs one scenario and returns its faults.
func play(ctx context.Context, seed uint64, newSystem func(ports) system) []string {
	t := newTurns(seed, seed%2 == 1)
	w := newWorld("amsg", "bob", "carl")
	act := func(f func(system, *actor)) {
		t.start(func(a *actor) { f(newSystem(ports{world: w, actor: a}), a) })
	}
	for i, id := range []live.ConnectionID{"amsg1", "amsg1", "amsg2", "bob1", "bob1", "bob2", "carl1", "eve1"} {
		act(func(s system, _ *actor) { w.subscribe(ctx, s, id, fmt.Sprint(i)) })
	}
	if t.random.IntN(3) == 0 {
		w.changed = append(w.changed, "carl") // another role
		act(func(s system, _ *actor) { _, _ = s.Unsubscribe(ctx, connection("carl1"), room) })
	}
	for range 3 {
		act(func(s system, _ *actor) { w.send(ctx, s, feed.Change{Type: feed.MessageCreated}) })
	}
	for range t.random.IntN(3) {
		act(func(s system, a *actor) { w.remove(ctx, s, a, "amsg") })
	}
	if t.random.IntN(2) == 0 {
		act(func(_ system, a *actor) { w.admit(a, "amsg") })
	}
	for range t.random.IntN(3) {
		act(func(s system, a *actor) { w.suspend(ctx, s, a, "bob") })
	}
	for _, id := range []live.ConnectionID{"amsg1", "bob1"} {
		if t.random.IntN(3) == 0 {
			act(func(s system, _ *actor) { w.hangUp(ctx, s, id) })
		}
	}
	act(func(s system, a *actor) { w.follow(ctx, s, a) })
	w.drops = t.random.IntN(2) == 0
	t.run()
	w.drops, t.crashes = false, false
	act(func(s system, _ *actor) { w.repeat(ctx, s) })
	t.run()
	w.check()
	slices.Sort(w.faults)
	return w.faults
}

func connection(id live.ConnectionID) live.Connection {
	return live.Connection{ID: id, User: chat.UserID(id[:len(id)-1]), Until: now.Add(time.Second)}
}

// subscribe is the request of a connection: the function of connections ends the connections of
// suspended people.
func (w *world) subscribe(ctx context.Context, s system, id live.ConnectionID, attempt string) {
	c := connection(id)
	w.requests[id]++
	if err := s.Open(ctx, c, []chat.RoomID{room}); err != nil {
		w.faults = append(w.faults, err.Error())
	}
	results, err := s.Subscribe(ctx, c, attempt, []live.Want{{Room: room}})
	if err != nil {
		_, _ = s.Disconnect(ctx, c)
		w.requests[id]--
		return
	}
	w.requests[id]--
	if results[0].Err == nil {
		void := w.rows[id].Attempt != attempt || w.removals[c.User] > w.before[attempt] || w.suspended[c.User]
		w.acks[attempt] = ack{connection: c, head: results[0].Head.Last, void: void}
	}
}

// hangUp is the end of a connection.
func (w *world) hangUp(ctx context.Context, s system, id live.ConnectionID) {
	if _, err := s.HangUp(ctx, connection(id)); err != nil {
		w.faults = append(w.faults, err.Error())
	}
	w.hungUp[id] = true
}

func (w *world) send(ctx context.Context, s system, c feed.Change) {
	if err := s.AppendAndConsume(ctx, c); err != nil {
		w.faults = append(w.faults, err.Error())
	}
}

// remove is a removal by the API: it changes the membership, ends the subscriptions and answers.
func (w *world) remove(ctx context.Context, s system, a *actor, user chat.UserID) {
	a.step()
	if w.members[user] {
		w.members[user] = false
		w.removals[user]++
		w.changed = append(w.changed, user)
		w.void(func(c live.Connection) bool { return c.User == user })
	}
	admissions := w.admissions[user]
	if err := s.RemoveUser(ctx, room, user); err != nil {
		w.faults = append(w.faults, err.Error())
	}
	if !w.members[user] && w.admissions[user] == admissions {
		w.barred[user] = int64(len(w.feed))
	}
}

// suspend is a suspension by the API, or its retry: it changes the account, ends the subscriptions
// and answers.
func (w *world) suspend(ctx context.Context, s system, a *actor, user chat.UserID) {
	a.step()
	if !w.suspended[user] {
		w.suspended[user] = true
		w.suspensions = append(w.suspensions, user)
		w.void(func(c live.Connection) bool { return c.User == user })
	}
	if err := s.RemovePerson(ctx, user); err != nil {
		w.faults = append(w.faults, err.Error())
	}
	w.stopped[user] = true
	if _, barred := w.barred[user]; !barred {
		w.barred[user] = int64(len(w.feed))
	}
}

// repeat is a later process of the feed function. It runs the batches again whose process ended before
// they were delivered.
func (w *world) repeat(ctx context.Context, s system) {
	b := feed.Batch{}
	for seq := range int64(len(w.feed)) {
		if !w.sent[seq+1] {
			b.Repeated = []feed.Reached{{Room: room, Seq: seq + 1}}
		}
	}
	if err := s.Consume(ctx, b); err != nil {
		w.faults = append(w.faults, err.Error())
	}
}

func (w *world) admit(a *actor, user chat.UserID) {
	a.step()
	w.members[user] = true
	w.admissions[user]++
	delete(w.barred, user)
}

// follow is the feed function for the changes of memberships, and for suspensions.
func (w *world) follow(ctx context.Context, s system, a *actor) {
	for range 12 {
		a.step()
		if people := w.suspensions; len(people) > 0 {
			w.suspensions = nil
			if err := s.Consume(ctx, feed.Batch{Suspended: people}); err != nil {
				w.faults = append(w.faults, err.Error())
			}
			for _, user := range people {
				w.stopped[user] = true
			}
		}
		if len(w.changed) > 0 {
			user := w.changed[0]
			w.changed = w.changed[1:]
			removals := w.removals[user]
			w.send(ctx, s, feed.Change{Type: feed.MemberChanged, User: user})
			w.told[user] = removals
		}
	}
}
