package httpapi_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/test/tabletest"
)

// crowd is many processes on one table, which a person uses in turn.
type crowd struct {
	processes []*api
	now       time.Time
	next      int
	calls     atomic.Int64 // to the table
}

// newCrowd returns 64 processes with limits.
func newCrowd(t *testing.T, limits ratelimit.Limits) *crowd {
	t.Helper()
	c := &crowd{now: start}
	client := tabletest.Start(t, "chat", recorder.Options)
	tabletest.CreateLog(t, client, "log")
	tabletest.CreateLive(t, client, "live")
	observe := func(ctx context.Context, u dynamo.Usage) {
		c.calls.Add(1)
		httpapi.Consumed(ctx, u.Units, u.Write)
	}
	store := dynamo.New(client, dynamo.Options{Table: "chat", Clock: func() time.Time { return c.now }, Observe: observe})
	for range 64 {
		c.processes = append(c.processes, newAPIOn(t, store, activity.NewStore(dynamo.NewLogTable(client, "log", nil)), func(o *app.Options) {
			o.Clock, o.Limits, o.ServiceLimits = func() time.Time { return c.now }, limits, ratelimit.ForServices(1)
			o.Live = live.NewTable(dynamo.NewTable(client, "live", observe))
		}))
	}
	return c
}

// do sends a request through the next process.
func (c *crowd) do(t *testing.T, method, path, body string, headers ...string) answer {
	t.Helper()
	c.next++
	return c.processes[c.next%len(c.processes)].do(t, method, path, body, headers...)
}

// flood is a request that a person repeats.
type flood struct {
	method, path, body string // {n} is the number of the request
	limit              string // that it uses up
	requests           int
	within             time.Duration
	atMost             int // accepted requests; by chance more in one of thousands of runs
	rate               int // of the limits
}

var floods = map[string]flood{
	"messages":  {"POST", "/rooms/seattle/messages", `{"text":"x"}`, "messages", 320, 10 * time.Second, 199, 10},
	"profiles":  {"PUT", "/people/me", `{"name":"N {n}"}`, "writes", 200, time.Second, 140, 10},
	"parts":     {"PUT", "/rooms/seattle/documents/d/parts/p{n}", `{"text":"` + strings.Repeat("x", 32<<10) + `"}`, "writes", 110, time.Second, 100, 10},
	"rooms":     {"PUT", "/rooms/room-{n}", "", "rooms", 30, time.Second, 12, 1},
	"documents": {"PUT", "/rooms/seattle/documents/d{n}", `{"title":"x"}`, "documents", 130, time.Minute, 102, 1},
	"people":    {"PUT", "/rooms/seattle/members/user-{n}", `{"role":"member"}`, "writes", 120, time.Second, 100, 1},
	"reactions": {"PUT", "/rooms/seattle/messages/{id}/reactions/%F0%9F%91%8D", "", "writes", 420, time.Second, 320, 1},
	"roles":     {"PUT", "/rooms/seattle/members/bob", `{"role":"muted","reason":"{n}"}`, "attention", 150, 2 * time.Minute, 60, 1},
	"joins":     {"PUT", "/rooms/seattle/members/me", `{"role":"owner"}`, "attention", 150, 2 * time.Minute, 60, 1},
	"invites":   {"POST", "/rooms/seattle/invites", `{}`, "attention", 60, 2 * time.Minute, 15, 1},
	"mentions":  {"POST", "/rooms/seattle/messages", `{"text":"x","mentions":["bob"]}`, "attention", 250, 5 * time.Minute, 140, 1},
	"pages":     {"GET", "/rooms/seattle/messages", "", "reads", 400, time.Second, 300, 5},
}

// run repeats a flood, and returns how many requests were accepted. Refused requests must name the
// limit.
func (f flood) run(t *testing.T, c *crowd) (accepted int) {
	t.Helper()
	begun := c.now
	if got := c.do(t, "PUT", "/rooms/seattle", ""); got.status != 201 {
		t.Fatal(got.text)
	}
	id := fmt.Sprint(c.do(t, "POST", "/rooms/seattle/messages", `{"text":"x"}`).body["id"])
	for n := range f.requests {
		c.now = begun.Add(f.within * time.Duration(n) / time.Duration(f.requests))
		fill := strings.NewReplacer("{n}", strconv.Itoa(n), "{id}", id)
		got := c.do(t, f.method, fill.Replace(f.path), fill.Replace(f.body))
		switch seconds, _ := strconv.Atoi(got.header.Get("Retry-After")); {
		case got.status < 300:
			accepted++
		case got.status != 429 || got.body["limit"] != f.limit || seconds < 1:
			t.Fatalf("request %d: %d %s, Retry-After %d, want 429 for %s", n, got.status, got.text, seconds, f.limit)
		}
	}
	return accepted
}

// TestLimits_HoldAcrossProcesses floods through 64 processes, each in turn.
func TestLimits_HoldAcrossProcesses(t *testing.T) {
	t.Parallel()
	for name, f := range floods {
		t.Run(name, func(t *testing.T) {
			accepted := f.run(t, newCrowd(t, ratelimit.For(f.rate)))
			t.Logf("%d of %d requests are accepted", accepted, f.requests)
			if accepted > f.atMost || accepted == 0 {
				t.Errorf("%d of %d requests are accepted, want at most %d", accepted, f.requests, f.atMost)
			}
		})
	}
}

// TestLimits_PagesCostTheirBytes reads pages until the budget is empty. Large pages empty it
// sooner, compressed or not.
func TestLimits_PagesCostTheirBytes(t *testing.T) {
	t.Parallel()
	pages := func(bytes int, zipped bool) (n int) {
		c := newCrowd(t, ratelimit.For(1))
		c.do(t, "PUT", "/rooms/seattle", "", userHeader, "owner")
		for range 8 {
			c.do(t, "POST", "/rooms/seattle/messages", `{"text":"`+strings.Repeat("x", bytes)+`"}`, userHeader, "owner")
			c.now = c.now.Add(time.Second)
		}
		for ; n < 100; n++ {
			read := c.processes[0].do
			if zipped {
				read = c.processes[0].doGzip
			}
			got := read(t, "GET", "/rooms/seattle/messages", "")
			if got.status == 429 && got.body["limit"] == "reads" {
				return n
			}
		}
		return n
	}
	small, large, zipped := pages(1, false), pages(32<<10, false), pages(32<<10, true)
	if large < 1 || small < 3*large || small > 60 || zipped != large {
		t.Errorf("%d small pages, %d large ones, and %d that are compressed", small, large, zipped)
	}
}

// TestLimits_ListsCostTheirUnits reads the rooms of a person until the budget is empty. Lists of
// many rooms empty it sooner, although the responses are small.
func TestLimits_ListsCostTheirUnits(t *testing.T) {
	t.Parallel()
	lists := func(rooms int) (n int) {
		c := newCrowd(t, ratelimit.For(1))
		for i := range rooms {
			c.now = c.now.Add(20 * time.Minute)
			c.do(t, "PUT", fmt.Sprintf("/rooms/room-%d", i), "")
		}
		for ; n < 100; n++ {
			if got := c.processes[0].do(t, "GET", "/people/me/rooms", ""); got.status == 429 && got.body["limit"] == "reads" {
				return n
			}
		}
		return n
	}
	if few, many := lists(1), lists(20); many < 1 || few < 3*many || few > 60 {
		t.Errorf("%d lists of one room and %d of 20", few, many)
	}
}

// TestLimits_RefusalsReadNothing repeats requests of every kind after a process has refused one.
// The process must refuse the others without a call to the table.
func TestLimits_RefusalsReadNothing(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]flood{
		"messages": {method: "POST", path: "/rooms/seattle/messages", body: `{"text":"x"}`, limit: "messages"},
		"changes":  {method: "PUT", path: "/people/me", body: `{"name":"N"}`, limit: "writes"},
		"pages":    {method: "GET", path: "/rooms/seattle/messages", limit: "reads"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t, ratelimit.For(1))
			c.do(t, "PUT", "/rooms/seattle", "")
			c.now = c.now.Add(time.Hour)
			refused := 0
			for range 200 {
				before := c.calls.Load()
				got := c.processes[0].do(t, f.method, f.path, f.body)
				if got.status != 429 {
					continue
				}
				if refused++; got.body["limit"] != f.limit || refused > 1 && c.calls.Load() != before {
					t.Fatalf("refusal %d: %s, after %d calls", refused, got.text, c.calls.Load()-before)
				}
			}
			if refused < 2 {
				t.Errorf("%d requests are refused", refused)
			}
		})
	}
}

// TestLimits_ServicesHaveTheirOwn lets a service create rooms and members beyond a person's limits,
// as itself. For a person it meets theirs. Its own limits stop a loop.
func TestLimits_ServicesHaveTheirOwn(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, ratelimit.For(1))
	rooms := func(name string, headers ...string) (created int) {
		for n := range 30 {
			if got := c.do(t, "PUT", fmt.Sprintf("/rooms/%s-%d", name, n), "", headers...); got.status == 201 {
				created++
			}
		}
		return created
	}
	itself := []string{userHeader, "desk", serviceHeader, "yes"}
	if own, person := rooms("own", itself...), rooms("for-ann", via("ann")...); own != 30 || person >= 15 {
		t.Errorf("%d rooms as itself, %d for a person", own, person)
	}
	for n := range 130 {
		c.now = c.now.Add(time.Millisecond) // the audit log accepts only so many entries of one instant
		c.want(t, 201, "PUT", fmt.Sprintf("/rooms/own-0/members/user-%d", n), `{"role":"member"}`, itself...)
	}
	accepted := 0
	for n := range 1700 {
		if got := c.processes[n%8].do(t, "PUT", "/people/me", fmt.Sprintf(`{"name":"N %d"}`, n), itself...); got.status < 300 {
			accepted++
		} else if got.status != 429 || got.body["limit"] != "writes" {
			t.Fatal(got.text)
		}
	}
	if accepted < 1250 || accepted > 1450 {
		t.Errorf("%d changes are accepted from a loop", accepted)
	}
}

// want is do, and checks the status.
func (c *crowd) want(t *testing.T, status int, method, path, body string, headers ...string) {
	t.Helper()
	if got := c.do(t, method, path, body, headers...); got.status != status {
		t.Fatalf("%s %s answers %d, want %d\n%s", method, path, got.status, status, got.text)
	}
}
