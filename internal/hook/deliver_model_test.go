package hook_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/test/nightly"
)

// pushed is a hook with an address in the model.
type pushed struct {
	*receiver
	id       hook.ID
	settings hook.Settings
}

// pushes adds hooks with addresses to a model.
func (m *model) pushes() (all []pushed) {
	for _, p := range []struct {
		id     hook.ID
		wanted hook.Wanted
	}{{"push", hook.Wanted{}}, {"push-list", hook.Wanted{Rooms: []chat.RoomID{"portland"}}}} {
		r := m.address(p.id, p.wanted)
		all = append(all, pushed{r, p.id, hook.Settings{Wanted: p.wanted, URL: r.url}})
	}
	m.deliverAll()
	return all
}

// statuses are the answers of receivers in the model; 0 closes the connection.
var statuses = []int{0, http.StatusInternalServerError, http.StatusTooManyRequests, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusFound, http.StatusGone}

// pushStep lets the processes of deliveries run.
func (m *model) pushStep(all []pushed) {
	p := all[m.random.IntN(len(all))]
	switch n := m.random.IntN(12); {
	case n < 5:
		p.next(m.answers()...)
		m.deliverOnce()
	case n < 7:
		if wakes := m.queue.receive(3); len(wakes) > 0 && m.random.IntN(2) == 0 {
			m.queue.putBack(append(slices.Clone(wakes), wakes...)) // a queue may deliver twice
		} else {
			m.queue.putBack(wakes)
		}
	case n < 9:
		m.clock.advance(time.Duration(m.random.Int64N(int64(20 * time.Minute))))
		_ = hook.NewOutbox(m.store.Table(), m.queue, m.clock.Now, hook.Rules{On: true}).Sweep(m.t.Context())
	case n < 10:
		// Somebody changes the hook, which also enables it again.
		settings := p.settings
		settings.Off = m.random.IntN(3) == 0
		_, _, _, _ = m.service(m.process()...).Put(m.t.Context(), bot, p.id, settings)
	case n < 11:
		_ = m.service(m.process()...).Test(m.t.Context(), bot, p.id)
	case m.random.IntN(3) == 0:
		from := m.began.Add(time.Duration(m.random.Int64N(int64(m.clock.Now().Sub(m.began)))))
		for m.service(m.process()...).Replay(m.t.Context(), bot, p.id, from) != nil {
			continue
		}
	}
}

// answers returns the next answers of a receiver. One that fails after it has processed a request
// gets it again.
func (m *model) answers() (all []int) {
	for range m.random.IntN(4) {
		status := http.StatusNoContent
		if m.random.IntN(2) == 0 {
			status = statuses[m.random.IntN(len(statuses))]
		}
		all = append(all, status)
	}
	return all
}

// deliverOnce delivers to one hook in a process that may crash.
func (m *model) deliverOnce() {
	wakes := m.queue.receive(1 + m.random.IntN(5))
	if len(wakes) == 0 {
		return
	}
	pause, err := m.deliverer(m.process()...).Deliver(m.t.Context(), wakes)
	if err != nil || pause > 0 {
		m.queue.putBack(wakes)
	}
	m.clock.advance(pause)
}

// deliverAll lets all deliveries end, with receivers that accept everything.
func (m *model) deliverAll() {
	for range 100 {
		m.sweep()
		if m.queue.len() == 0 {
			return
		}
		m.clock.advance(max(m.deliver(), 16*time.Minute))
		m.pump()
	}
	m.t.Fatal("deliveries do not end")
}

// TestModel_DeliversTheFeed is TestModel_ReceivesTheFeed for hooks with addresses, whose receivers
// refuse, break and lose requests, and whose messages of the queue come twice. In the end each
// receiver has the whole feeds of its rooms, without a hole on the way.
func TestModel_DeliversTheFeed(t *testing.T) {
	t.Parallel()
	for seed := range uint64(nightly.Times(4, 100)) {
		m := newModel(t, seed)
		all := m.pushes()
		for n := range 400 {
			if n%2 == 0 {
				m.step()
			} else {
				m.pushStep(all)
			}
		}
		for _, p := range all {
			p.next()
			if _, _, _, err := m.service().Put(t.Context(), bot, p.id, p.settings); err != nil {
				t.Fatal(err)
			}
		}
		m.finish()
		m.pump()
		m.deliverAll()
		m.clock.advance(time.Hour) // of rooms that are held
		m.deliverAll()
		found := m.check()
		for _, p := range all {
			found = append(found, p.holes...)
			for _, room := range m.rooms {
				head, err := m.store.CurrentFeedHead(t.Context(), room)
				if err != nil {
					t.Fatal(err)
				}
				if wanted := p.id == "push" || room == "portland"; wanted && p.received[room] != head.Last {
					found = append(found, fmt.Sprintf("%s has %d of %d changes of %s", p.id, p.received[room], head.Last, room))
				}
			}
		}
		if len(found) > 0 {
			t.Fatalf("seed %d: %q", seed, found)
		}
	}
}
