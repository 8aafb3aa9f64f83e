package hook_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/test/nightly"
)

// program is the program of a hook. It stores what it receives together with the id of the answer,
// and may lose an answer before.
type program struct {
	id     hook.ID
	wanted hook.Wanted
	last   string
	// received holds the numbers of each room, each once. A number beyond the next is a hole.
	received map[chat.RoomID]int64
	deleted  map[chat.RoomID]bool
	holes    []string
}

func (p *program) take(a hook.Answer) {
	for _, r := range a.Rooms {
		if r.Deleted {
			p.deleted[r.Room] = true
		}
		for _, e := range r.Entries {
			if last := p.received[r.Room]; e.Seq > last+1 {
				p.holes = append(p.holes, fmt.Sprintf("%s of %s after %d: %d", p.id, r.Room, last, e.Seq))
			}
			p.received[r.Room] = max(p.received[r.Room], e.Seq)
		}
	}
	p.last = a.ID
}

// model is a random life of rooms, hooks and processes that crash.
type model struct {
	*world
	random   *rand.Rand
	programs []*program
	rooms    []chat.RoomID
	messages []chat.Message
	began    time.Time
	pending  []events.DynamoDBEventRecord // that the outbox has not processed
	done     []events.DynamoDBEventRecord // that it has, and may see again
	gone     map[chat.RoomID]bool
}

// process returns options that crash a process at one of its next requests, sometimes.
func (m *model) process() []func(*dynamodb.Options) {
	if m.random.IntN(2) == 0 {
		return nil
	}
	c := &crash{at: 1 + m.random.Int64N(12), after: m.random.IntN(2) == 0}
	return []func(*dynamodb.Options){c.options}
}

func (m *model) step() {
	ctx := m.t.Context()
	switch n := m.random.IntN(20); {
	case n < 8:
		if room := m.rooms[m.random.IntN(len(m.rooms))]; !m.gone[room] {
			m.messages = append(m.messages, m.post(room))
		}
	case n < 9 && len(m.messages) > 0:
		i := m.random.IntN(len(m.messages))
		if before := m.messages[i]; !before.Deleted() && !m.gone[before.Room] {
			after := before.Edited("changed", m.clock.Now())
			m.revise(before, after)
			m.messages[i] = after
		}
	case n < 11:
		records := m.stream.Next(m.t)
		m.feedOnly(records)
		m.pending = append(m.pending, append(records, m.stream.Next(m.t)...)...)
	case n < 14 && len(m.pending) > 0:
		// A batch is repeated until it succeeds, perhaps smaller. An old one may come again.
		part := m.pending[:1+m.random.IntN(len(m.pending))]
		if m.note(m.newOutbox(m.process()...), part) == nil {
			m.pending, m.done = m.pending[len(part):], append(m.done, part...)
		}
	case n < 15 && len(m.done) > 0:
		from := m.random.IntN(len(m.done))
		_ = m.note(m.newOutbox(m.process()...), m.done[from:min(len(m.done), from+1+m.random.IntN(5))])
	case n < 19:
		m.fetchOnce(m.programs[m.random.IntN(len(m.programs))])
	case m.random.IntN(4) == 0:
		p := m.programs[m.random.IntN(len(m.programs))]
		from := m.began.Add(time.Duration(m.random.Int64N(int64(m.clock.Now().Sub(m.began)))))
		if m.service(m.process()...).Replay(ctx, bot, p.id, from) != nil {
			for m.service().Replay(ctx, bot, p.id, from) != nil { // who asks repeats the request
				continue
			}
		}
	}
}

// feedOnly appends records to the feeds, one at a time or together.
func (m *model) feedOnly(records []events.DynamoDBEventRecord) {
	for len(records) > 0 {
		n := 1 + m.random.IntN(len(records))
		resp, err := m.feed.Handle(m.t.Context(), events.DynamoDBEvent{Records: records[:n]})
		if err != nil || len(resp.BatchItemFailures) > 0 {
			m.t.Fatal(resp, err)
		}
		records = records[n:]
	}
}

// fetchOnce lets a program fetch. It may lose the answer, with the process that gave it or itself.
func (m *model) fetchOnce(p *program) {
	got := p.last
	a, err := m.service(m.process()...).Fetch(m.t.Context(), bot, p.id, &got)
	if err == nil && m.random.IntN(3) > 0 {
		p.take(a)
	}
}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{
		world: newWorld(t), random: rand.New(rand.NewPCG(nightly.Seed(t), seed)), gone: map[chat.RoomID]bool{},
		rooms: []chat.RoomID{"seattle", "seattle-1", "portland", "usa-or"},
	}
	for _, room := range m.rooms {
		m.room(room)
	}
	m.began = m.clock.Now().Add(time.Second)
	m.clock.advance(time.Minute)
	for id, wanted := range map[hook.ID]hook.Wanted{"all": {}, "list": {Rooms: []chat.RoomID{"portland"}}, "prefix": {Prefix: "seattle"}} {
		m.make(id, wanted)
		m.programs = append(m.programs, &program{
			id: id, wanted: wanted, last: "none", received: map[chat.RoomID]int64{}, deleted: map[chat.RoomID]bool{},
		})
	}
	slices.SortFunc(m.programs, func(a, b *program) int { return len(a.id) - len(b.id) })
	m.began = m.clock.Now()
	return m
}

// finish lets everything arrive.
func (m *model) finish() {
	records := m.stream.Next(m.t)
	m.feedOnly(records)
	m.pending = append(m.pending, append(records, m.stream.Next(m.t)...)...)
	if err := m.note(m.newOutbox(), m.pending); err != nil {
		m.t.Fatal(err)
	}
	for _, p := range m.programs {
		for {
			a := m.fetch(p.id, p.last)
			if a.ID == "" {
				break
			}
			p.take(a)
		}
	}
}

// check compares what the programs have received with the feeds.
func (m *model) check() (found []string) {
	for _, p := range m.programs {
		found = append(found, p.holes...)
		want := map[chat.RoomID]int64{}
		for _, room := range m.rooms {
			has := p.id == "all" || p.id == "list" && room == "portland" || p.id == "prefix" && room[:2] == "se"
			if !has || m.gone[room] {
				continue
			}
			head, err := m.store.CurrentFeedHead(m.t.Context(), room)
			if err != nil {
				m.t.Fatal(err)
			}
			want[room] = head.Last
		}
		if !maps.Equal(want, p.received) {
			found = append(found, fmt.Sprintf("%s has received %v of %v", p.id, p.received, want))
		}
	}
	return found
}

// TestModel_ReceivesTheFeed lets people write, processes of the outbox and of the API crash at any of
// their requests, batches come again, programs lose answers and hooks replay. In the end each program
// has the whole feeds of its rooms, without a hole on the way.
func TestModel_ReceivesTheFeed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(nightly.Times(4, 100)) {
		m := newModel(t, seed)
		for range 300 {
			m.step()
		}
		m.finish()
		if found := m.check(); len(found) > 0 {
			t.Fatalf("seed %d: %q", seed, found)
		}
	}
}
