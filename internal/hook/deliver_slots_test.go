package hook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/test/nightly"
)

const (
	simTick     = 10 * time.Millisecond // the precision of simulated times
	simDuration = 4 * time.Minute
	simBurst    = 5 // messages that are posted soon after each other
	simBatch    = 10
)

// simulation is the queue and the deliver function of a deployment in simulated time. Deliveries
// are real, on a real engine, but run one after another: each begins at its simulated time, which
// receivers advance. A slot is an execution of the function. It has a batch of messages, and ends
// when the slowest of its hooks does; the messages of the other hooks leave the queue before.
type simulation struct {
	*world
	now              time.Time
	answers, hanging *hook.Deliverer
	hangs            bool // of every tenth hook
	hooks            []hook.ID

	waiting []waitingWake
	busy    map[string]time.Time // until when a hook's messages are in flight
	slots   []time.Time          // when they are free

	posted    map[string]time.Time    // by text
	received  []map[chat.RoomID]int64 // by hook
	waits     []time.Duration         // of hooks that never hang
	texts     int
	defects   []string
	timeouts  int
	peakSlots int
}

// waitingWake is a message of the queue.
type waitingWake struct {
	wake  hook.Wake
	group string
	from  time.Time // it is hidden before
}

// set sets the clock.
func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

func newSimulation(t *testing.T, hooks, slots int, hangs bool) *simulation {
	t.Helper()
	s := &simulation{
		world: newWorld(t), hangs: hangs, busy: map[string]time.Time{}, slots: make([]time.Time, slots), posted: map[string]time.Time{},
	}
	server := httptest.NewServer(http.HandlerFunc(s.receive))
	t.Cleanup(server.Close)
	given := outgoing.New(outgoing.Options{Loopback: true, Timeout: 1}) // times out at once
	t.Cleanup(given.Close)
	deliverer := func(c *outgoing.Client) *hook.Deliverer {
		return hook.NewDeliverer(hook.DelivererOptions{
			Service: s.service(), Client: c, Random: func() float64 { return 0 }, Log: slog.New(slog.DiscardHandler),
			Sleep: func(_ context.Context, d time.Duration) { s.clock.advance(d) },
		})
	}
	s.answers, s.hanging = deliverer(s.client), deliverer(given)
	for n := range simBurst {
		s.room(chat.RoomID(fmt.Sprintf("room-%d", n)))
	}
	s.pump()
	service := s.service()
	for n := range hooks {
		id := hook.ID(strconv.Itoa(n))
		if _, _, _, err := service.Put(t.Context(), bot, id, hook.Settings{URL: server.URL + "/" + string(id)}); err != nil {
			t.Fatal(err)
		}
		s.hooks, s.received = append(s.hooks, id), append(s.received, map[chat.RoomID]int64{})
	}
	s.pump()
	s.now = s.clock.Now()
	return s
}

// receive accepts a request of a hook after the time that its receiver takes.
func (s *simulation) receive(w http.ResponseWriter, in *http.Request) {
	var got request
	n, err := strconv.Atoi(strings.TrimPrefix(in.URL.Path, "/"))
	if err != nil || json.NewDecoder(in.Body).Decode(&got) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	s.clock.advance(time.Duration(50+n%30*10) * time.Millisecond)
	now := s.clock.Now()
	for _, room := range got.Data.Items {
		for _, c := range room.Changes {
			id := chat.RoomID(room.ID)
			if last := s.received[n][id]; last > 0 && c.Seq != last+1 {
				s.defects = append(s.defects, fmt.Sprintf("hook %d: %d of %s after %d", n, c.Seq, id, last))
			}
			s.received[n][id] = c.Seq
			if c.Message == nil {
				continue
			}
			s.texts++
			if n%10 > 0 {
				s.waits = append(s.waits, now.Sub(s.posted[c.Message.Text]))
			}
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// run posts messages in bursts, and delivers until the end of the time.
func (s *simulation) run(bursts int) {
	random := rand.New(rand.NewPCG(1, 2))
	var posts []time.Time
	for range bursts {
		at := s.now.Add(time.Duration(random.Int64N(int64(simDuration - time.Minute))))
		for n := range simBurst {
			posts = append(posts, at.Add(time.Duration(n)*100*time.Millisecond))
		}
	}
	slices.SortFunc(posts, time.Time.Compare)
	sweep := s.now
	for end := s.now.Add(simDuration); s.now.Before(end); s.now = s.now.Add(simTick) {
		for len(posts) > 0 && !s.now.Before(posts[0]) {
			s.clock.set(s.now)
			s.post(chat.RoomID(fmt.Sprintf("room-%d", len(posts)%simBurst)))
			s.posted[fmt.Sprint("text ", s.posts)] = s.now
			s.pump()
			posts = posts[1:]
		}
		sweep = s.sweepAt(sweep)
		s.step()
	}
	s.hangs = false
	for range 60 { // until the last pauses have ended
		s.now = s.now.Add(time.Minute)
		s.sweepAt(s.now)
		s.step()
		if len(s.waiting) == 0 && s.queue.len() == 0 && len(s.dueRows()) == 0 {
			return
		}
	}
	s.defects = append(s.defects, "some changes wait for ever")
}

// sweepAt looks for due timers if it is time to, and returns the time of the next look.
func (s *simulation) sweepAt(next time.Time) time.Time {
	if s.now.Before(next) {
		return next
	}
	s.clock.set(s.now)
	s.sweep()
	return next.Add(time.Minute)
}

// step lets free slots take what waits.
func (s *simulation) step() {
	for _, w := range s.queue.wakes {
		s.waiting = append(s.waiting, waitingWake{w, w.Group(), s.now})
	}
	s.queue.wakes = nil
	used := 0
	for i := range s.slots {
		if !s.slots[i].After(s.now) {
			if batch := s.take(); len(batch) > 0 {
				s.slots[i] = s.execute(batch)
			}
		}
		if s.slots[i].After(s.now) {
			used++
		}
	}
	s.peakSlots = max(s.peakSlots, used)
}

// take receives messages from the queue, as a FIFO queue gives them: none of a hook that has others
// in flight or hidden.
func (s *simulation) take() (batch []waitingWake) {
	hidden := map[string]bool{}
	var rest []waitingWake
	for _, w := range s.waiting {
		hidden[w.group] = hidden[w.group] || w.from.After(s.now)
		if len(batch) == simBatch || hidden[w.group] || s.busy[w.group].After(s.now) {
			rest = append(rest, w)
		} else {
			batch = append(batch, w)
		}
	}
	s.waiting = rest
	return batch
}

// execute delivers a batch, and returns when the execution ends.
func (s *simulation) execute(batch []waitingWake) (end time.Time) {
	for len(batch) > 0 {
		var wakes []hook.Wake
		var of, others []waitingWake
		for _, w := range batch {
			if w.group == batch[0].group {
				wakes, of = append(wakes, w.wake), append(of, w)
			} else {
				others = append(others, w)
			}
		}
		ends, pause := s.call(wakes)
		s.busy[batch[0].group] = ends
		if pause > 0 {
			for i := range of {
				of[i].from = ends.Add(pause)
			}
			s.waiting = append(of, s.waiting...)
		}
		if ends.After(end) {
			end = ends
		}
		batch = others
	}
	return end
}

// call delivers to one hook, and returns when that ends.
func (s *simulation) call(wakes []hook.Wake) (ends time.Time, pause time.Duration) {
	s.t.Helper()
	s.clock.set(s.now)
	n, err := strconv.Atoi(string(wakes[0].Hook))
	if err != nil {
		s.t.Fatal(err)
	}
	d, hangs := s.answers, s.hangs && n%10 == 0
	if hangs {
		d = s.hanging
	}
	if pause, err = d.Deliver(s.t.Context(), wakes); err != nil {
		s.t.Fatal(err)
	}
	ends = s.clock.Now()
	if hangs {
		_, state, err := d.Service.Hook(s.t.Context(), bot, wakes[0].Hook)
		if err != nil {
			s.t.Fatal(err)
		}
		if len(state.Failures) > 0 && !state.Failures[0].At.Before(s.now.Truncate(time.Millisecond)) {
			s.timeouts++
			ends = ends.Add(outgoing.Timeout)
		}
	}
	return ends, pause
}

// TestDeliver_HangingReceivers has many hooks, of which a tenth hang. Nothing is lost, and the
// changes of the others wait hardly longer than without hooks that hang.
func TestDeliver_HangingReceivers(t *testing.T) {
	t.Parallel()
	hooks, slots, bursts := nightly.Times(20, hook.MaxHooks), nightly.Times(7, 64), nightly.Times(4, 8)
	p99 := func(hangs bool) time.Duration {
		s := newSimulation(t, hooks, slots, hangs)
		s.run(bursts)
		if want := hooks * bursts * simBurst; s.texts != want || len(s.defects) > 0 {
			t.Errorf("hangs %v: %d texts of %d, %q", hangs, s.texts, want, s.defects)
		}
		if hangs != (s.timeouts > 0) {
			t.Errorf("hangs %v: %d requests timed out", hangs, s.timeouts)
		}
		slices.Sort(s.waits)
		wait := s.waits[len(s.waits)*99/100]
		t.Logf("hangs %v: p50 %v, p99 %v of %d, %d requests timed out, %d of %d slots", hangs, s.waits[len(s.waits)/2], wait, len(s.waits), s.timeouts, s.peakSlots, slots)
		return wait
	}
	if without, with := p99(false), p99(true); float64(with) > 1.2*float64(without) {
		t.Errorf("99 of 100 changes wait %v, and %v without hooks that hang", with, without)
	}
}
