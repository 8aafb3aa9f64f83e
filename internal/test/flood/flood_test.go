//go:build !race

// Package flood_test floods the API as one person who uses many processes concurrently, and checks
// that the limits bound what that consumes.
package flood_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/test/nightly"
)

const (
	// duration is the length of a flood, by the clock of the processes.
	duration = 10 * time.Second
	// person is who floods.
	person = "mallory"
	// ticks is how many bursts of requests that takes.
	ticks = 40
	// together is how many requests are in flight. Each may overdraw a budget.
	together = 16
	// chance is how much more than a budget a person gets by samples that miss.
	chance = 1.6
	// loose is the rate of the limits that are not tested.
	loose = 1000
)

// flood is a request that a person repeats.
type flood struct {
	method, path, body string // {n} is the number of the request, {id} a message of the person
	undo               bool   // every other request is a DELETE
	serial             bool   // one request at a time, since they change one item
	limit              ratelimit.ID
	rate               int // of the tested limit; the other limits have a high rate
	divide             int // the limit by this, if it is above 1
	price              int // what a request takes from the limit

	// writes and reads are the most units that an accepted request consumes, including the units
	// of refused requests: a process reads the account until it knows that a budget is empty.
	writes, reads float64
	bytes         int     // that it stores at most
	entries       float64 // of the feed that it makes at most
}

var long = strings.Repeat("x", 32<<10)

// floods are operations of every kind, with the limit that stops each.
var floods = map[string]flood{
	"posts":     {method: "POST", path: "/rooms/seattle/messages", body: `{"text":"x"}`, limit: ratelimit.Messages, rate: 10, price: 1, writes: 3, reads: 8, bytes: 700, entries: 1},
	"edits":     {method: "PATCH", path: "/rooms/seattle/messages/{id}", body: `{"text":"{n}"}`, limit: ratelimit.Messages, rate: 10, price: 1, writes: 8, reads: 10, bytes: 700, entries: 1},
	"long":      {method: "POST", path: "/rooms/seattle/messages", body: `{"text":"` + long + `"}`, limit: ratelimit.Bytes, rate: 1, divide: 8, price: 33, writes: 70, reads: 8, bytes: 34 << 10, entries: 1},
	"mentions":  {method: "POST", path: "/rooms/seattle/messages", body: `{"text":"x","mentions":["bob"]}`, limit: ratelimit.Toward("bob"), rate: 1, price: 1, writes: 3, reads: 8, bytes: 800, entries: 1},
	"profiles":  {method: "PUT", path: "/people/me", body: `{"name":"N {n}","title":"T {n}","state":"S {n}"}`, serial: true, limit: ratelimit.Writes, rate: 10, price: 112, writes: 112, reads: 8, bytes: 1500},
	"parts":     {method: "PUT", path: "/rooms/seattle/documents/d/parts/p{n}", body: `{"text":"` + long + `"}`, limit: ratelimit.Writes, rate: 10, price: 142, writes: 142, reads: 10, bytes: 70 << 10, entries: 1},
	"reactions": {method: "PUT", path: "/rooms/seattle/messages/{id}/reactions/%F0%9F%91%8D", undo: true, limit: ratelimit.Writes, rate: 1, price: 4, writes: 4, reads: 10, bytes: 400, entries: 1},
	"joins":     {method: "PUT", path: "/rooms/seattle/members/me", body: `{"role":"member"}`, undo: true, serial: true, limit: ratelimit.Toward("room seattle"), rate: 1, price: 2, writes: 16, reads: 16, bytes: 800, entries: 1},
	"people":    {method: "PUT", path: "/rooms/seattle/members/user-{n}", body: `{"role":"member"}`, limit: ratelimit.Memberships, rate: 1, price: 1, writes: 17, reads: 16, bytes: 1500, entries: 1},
	"rooms":     {method: "PUT", path: "/rooms/room-{n}", limit: ratelimit.Rooms, rate: 1, price: 1, writes: 25, reads: 8, bytes: 2500},
	"documents": {method: "PUT", path: "/rooms/seattle/documents/d{n}", body: `{"title":"x"}`, limit: ratelimit.Documents, rate: 1, price: 1, writes: 8, reads: 12, bytes: 1000, entries: 1},
	"pages":     {method: "GET", path: "/rooms/seattle/messages", limit: ratelimit.Reads, rate: 2, price: 4, writes: 1, reads: 20, bytes: 10},
}

// limits returns the limits of a flood, with or without the tested one.
func (f flood) limits(with bool) ratelimit.Limits {
	all := ratelimit.For(loose)
	all[f.limit] = ratelimit.For(f.rate)[f.limit]
	if f.divide > 1 {
		all[f.limit].Each *= time.Duration(f.divide)
	}
	if !with {
		all[f.limit] = ratelimit.None()[f.limit]
	}
	return all
}

// atMost returns how many requests the limit accepts at most.
func (f flood) atMost() int {
	l := f.limits(true)[f.limit]
	return int(chance*float64((l.Window+duration)/l.Each)/float64(f.price)) + together
}

// together returns how many requests are in flight.
func (f flood) together() int {
	if f.serial {
		return 1
	}
	return together
}

// result is what came of a flood.
type result struct {
	accepted int
	consumption
	bytes, entries int
}

// run floods the API with half as many requests again as the limit accepts at most.
func (f flood) run(t *testing.T, with bool) (r result) {
	t.Helper()
	w := newWorld(t, f.limits(with))
	w.must("owner", "PUT", "/rooms/seattle", `{"systemMessages":false}`)
	w.must(person, "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.must("owner", "PUT", "/rooms/seattle/members/"+person, `{"role":"moderator"}`)
	var ids []string
	for range 8 {
		ids = append(ids, w.must(person, "POST", "/rooms/seattle/messages", `{"text":"x"}`))
		w.pass(time.Hour)
	}
	w.deliver()
	entries, stored, used := w.entries(), w.stored(), w.used
	requests := f.atMost() * 3 / 2
	for tick := range ticks {
		r.accepted += f.burst(w, ids, tick*requests/ticks, (tick+1)*requests/ticks)
		w.pass(duration / ticks)
		if tick%4 == 3 {
			w.deliver()
		}
	}
	r.writes, r.reads = w.used.writes-used.writes, w.used.reads-used.reads
	r.bytes, r.entries = w.stored()-stored, w.entries()-entries
	return r
}

// burst sends the requests of a range, and returns how many are accepted. The others must name the
// limit.
func (f flood) burst(w *world, ids []string, from, to int) (accepted int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	slots := make(chan struct{}, f.together())
	for n := from; n < to; n++ {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			fill := strings.NewReplacer("{n}", strconv.Itoa(n), "{id}", ids[n/2%len(ids)])
			method, body := f.method, f.body
			if f.undo && n%2 == 1 {
				method, body = "DELETE", ""
			}
			status, fields := w.do(n, person, method, fill.Replace(f.path), fill.Replace(body))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case status < 300:
				accepted++
			case status == 404 && method == "DELETE": // the request before was refused
			case status != 429 || fields.Limit != f.limit.String():
				w.Errorf("request %d: %d for %q, want 429 for %q", n, status, fields.Limit, f.limit)
			}
		})
	}
	all.Wait()
	return accepted
}

// TestFlood_StaysBelowTheBounds floods the API for ten seconds through 64 processes. What it
// consumes and leaves behind is below what the limit admits. Without the limit, the same requests
// exceed that. make test runs one flood, and all take a minute and a half.
func TestFlood_StaysBelowTheBounds(t *testing.T) {
	for name, f := range floods {
		if !nightly.Enabled() && name != "profiles" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := f.atMost()
			most := result{n, consumption{float64(n) * f.writes, float64(n) * f.reads}, n * f.bytes, int(float64(n) * f.entries)}
			got := f.run(t, true)
			t.Logf("with the limit: %+v, at most %+v", got, most)
			if got.accepted == 0 || got.accepted > most.accepted || got.writes > most.writes || got.reads > most.reads || got.bytes > most.bytes || got.entries > most.entries {
				t.Errorf("the flood consumes %+v, want at most %+v", got, most)
			}
			got = f.run(t, false)
			t.Logf("without the limit: %+v", got)
			if got.accepted <= most.accepted {
				t.Errorf("without the limit %d requests are accepted, so the flood shows nothing: the bound is %d", got.accepted, most.accepted)
			}
		})
	}
}
