package search_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/nightly"
)

// wire passes the calls of a process to the bucket. It calls before and after with the number of
// each call, from 1.
type wire struct {
	next          http.RoundTripper
	before, after func(call int) error // nil does nothing

	mu    sync.Mutex
	calls int
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.calls++
	call := w.calls
	w.mu.Unlock()
	if w.before != nil {
		if err := w.before(call); err != nil {
			return nil, err
		}
	}
	answer, err := w.next.RoundTrip(r)
	if w.after != nil && err == nil {
		if lost := w.after(call); lost != nil {
			_ = answer.Body.Close()
			return nil, lost
		}
	}
	return answer, err
}

// crashes is a world whose indexes can be brought back to an earlier state.
type crashes struct {
	*world
	transport http.RoundTripper
	objects   map[string][]byte
	again     atomic.Int64 // blocks and indexes that were built again, in the log
	errors    atomic.Int64 // in the log
}

// Write reads the lines of a log.
func (c *crashes) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("built again")) {
		c.again.Add(1)
	}
	if bytes.Contains(line, []byte("level=ERROR")) {
		c.errors.Add(1)
	}
	return len(line), nil
}

// newCrashes returns a world with a history, of which the indexes have a part.
func newCrashes(t *testing.T, n uint64) *crashes {
	t.Helper()
	c := &crashes{world: newWorld(t, nightly.Seed(t)+n)}
	c.log = c
	c.bucket = buckettest.New(t, c.clock.Now, func(next http.RoundTripper) http.RoundTripper {
		c.transport = next
		return next
	}).Client
	c.restart()
	for range 100 {
		c.act()
	}
	c.deliver()
	for _, room := range c.rooms {
		if err := extend(t.Context(), c.Search, room); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		c.act()
	}
	c.deliver()
	c.objects = c.all()
	return c
}

// all returns everything that is stored of indexes.
func (c *crashes) all() map[string][]byte {
	c.t.Helper()
	all := map[string][]byte{}
	objects, more, err := c.bucket.List(c.t.Context(), search.Folder, "")
	if err != nil || more {
		c.t.Fatal(more, err)
	}
	for _, o := range objects {
		body, _, err := c.bucket.Read(c.t.Context(), o.Key)
		if err != nil {
			c.t.Fatal(err)
		}
		all[o.Key] = body
	}
	return all
}

// reset brings the indexes back.
func (c *crashes) reset() {
	c.t.Helper()
	now := c.all()
	for key := range now {
		if _, kept := c.objects[key]; !kept {
			c.put(key, nil)
		}
	}
	for key, body := range c.objects {
		if !bytes.Equal(now[key], body) {
			c.put(key, body)
		}
	}
}

// put stores an object, or removes it if body is nil.
func (c *crashes) put(key string, body []byte) {
	c.t.Helper()
	err := c.bucket.Delete(c.t.Context(), key)
	if err == nil && body != nil {
		_, err = c.bucket.Write(c.t.Context(), key, body, "")
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// process returns the service of a process with calls of its own.
func (c *crashes) process(before, after func(call int) error) (*search.Service, *wire) {
	w := &wire{next: c.transport, before: before, after: after}
	return c.service(buckettest.Client(c.clock.Now, w)), w
}

// sound checks that a process that begins now finds what it should, and that the indexes do not
// differ from the table.
func (c *crashes) sound(what string) {
	c.t.Helper()
	c.restart()
	c.check(c.Search, c.query())
	c.check(c.Search, "ham")
	c.restart()
	for _, room := range c.rooms {
		_, err := c.Search.Verify(c.t.Context(), room, func(d search.Difference) { c.t.Errorf("%s: %s %s %s", what, room, d.Message, d.Detail) })
		if err != nil {
			c.t.Errorf("%s: %v", what, err)
		}
	}
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// step is what a process does with indexes.
type step struct {
	name string
	do   func(ctx context.Context, s *search.Service, rooms []chat.RoomID) error
}

var steps = []step{
	{"search", func(ctx context.Context, s *search.Service, _ []chat.RoomID) error {
		q, err := search.Parse("-ham from:ann nothing", "ann", time.UTC)
		if err == nil {
			_, err = s.Search(ctx, "ann", search.Request{Query: q, Page: chat.PageRequest{Limit: 5}})
		}
		return err
	}},
	{"extend", func(ctx context.Context, s *search.Service, rooms []chat.RoomID) error {
		return extend(ctx, s, rooms[0])
	}},
	{"sweep", func(ctx context.Context, s *search.Service, _ []chat.RoomID) error {
		_, err := s.Sweep(ctx)
		return err
	}},
	{"rebuild", func(ctx context.Context, s *search.Service, rooms []chat.RoomID) error {
		if err := s.Forget(ctx, rooms[0]); err != nil {
			return err
		}
		return extend(ctx, s, rooms[0])
	}},
}

func extend(ctx context.Context, s *search.Service, room chat.RoomID) error {
	for {
		if p, err := s.Extend(ctx, room); p.Complete || err != nil {
			return err
		}
	}
}

var errKilled = errors.New("killed")

// eachCall calls do with the number of calls before a fault, for a share of the calls of each step:
// at night for each call, and for none.
func (c *crashes) eachCall(do func(step step, n int)) {
	c.t.Helper()
	const share = 4
	for i, step := range steps {
		c.reset()
		s, calls := c.process(nil, nil)
		if err := step.do(c.t.Context(), s, c.rooms); err != nil {
			c.t.Fatalf("%s: %v", step.name, err)
		}
		for n := range calls.calls + 1 {
			if nightly.One(i+n, share) {
				c.reset()
				do(step, n)
			}
		}
	}
}

// TestSearch_KilledBetweenCalls kills a process before each of its calls to the bucket.
func TestSearch_KilledBetweenCalls(t *testing.T) {
	t.Parallel()
	c := newCrashes(t, 1)
	c.eachCall(func(step step, n int) {
		ctx, kill := context.WithCancel(t.Context())
		s, _ := c.process(func(call int) error {
			if call <= n {
				return nil
			}
			kill()
			return errKilled
		}, nil)
		_ = step.do(ctx, s, c.rooms)
		kill()
		c.sound(fmt.Sprintf("%s killed after %d calls", step.name, n))
	})
	if c.again.Load() > 0 {
		t.Error("an index lacked a block")
	}
}

// TestSearch_LosesAnswers loses one call, or its answer, which the client then repeats.
func TestSearch_LosesAnswers(t *testing.T) {
	t.Parallel()
	c := newCrashes(t, 2)
	turn := 0
	c.eachCall(func(step step, n int) {
		lose := func(call int) error {
			if call == n+1 {
				return errKilled
			}
			return nil
		}
		s, _ := c.process(nil, lose)
		if turn++; turn%2 == 0 {
			s, _ = c.process(lose, nil)
		}
		if err := step.do(t.Context(), s, c.rooms); err != nil {
			t.Errorf("%s without answer %d: %v", step.name, n+1, err)
		}
		c.sound(fmt.Sprintf("%s without answer %d", step.name, n+1))
	})
}

// TestSearch_OfTwoProcesses lets a process do its whole step between two calls of another one.
func TestSearch_OfTwoProcesses(t *testing.T) {
	t.Parallel()
	c := newCrashes(t, 3)
	turn := 0
	c.eachCall(func(step step, n int) {
		turn++
		other := steps[turn%len(steps)]
		second, _ := c.process(nil, nil)
		s, _ := c.process(func(call int) error {
			if call != n+1 {
				return nil
			}
			return other.do(t.Context(), second, c.rooms)
		}, nil)
		what := fmt.Sprintf("%s with %s before call %d", step.name, other.name, n+1)
		if err := step.do(t.Context(), s, c.rooms); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, s := range []*search.Service{s, second} { // what they have in memory
			c.check(s, "ham")
		}
		c.sound(what)
	})
}

// TestSearch_AtOnce lets processes work concurrently, while people write.
func TestSearch_AtOnce(t *testing.T) {
	t.Parallel()
	c := newCrashes(t, 4)
	for range nightly.Times(1, 10) {
		c.reset()
		var all sync.WaitGroup
		var processes []*search.Service
		for n := range 4 {
			s, _ := c.process(nil, nil)
			processes = append(processes, s)
			all.Go(func() {
				for i := range 4 {
					if err := steps[(n+i)%len(steps)].do(t.Context(), s, c.rooms); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for range 20 {
			c.post(c.user(), c.room(), chat.MessageDraft{Text: c.words()})
		}
		all.Wait()
		for _, s := range processes {
			c.check(s, c.query())
			c.check(s, "ham")
		}
		c.deliver()
		c.sound("at once")
		c.objects = c.all()
	}
}

// TestSearch_DamagedObjects damages each stored object in several ways, and removes it.
func TestSearch_DamagedObjects(t *testing.T) {
	t.Parallel()
	c := newCrashes(t, 5)
	blocks := 0
	for _, key := range slices.Sorted(maps.Keys(c.objects)) {
		whole, isIndex := c.objects[key], strings.HasSuffix(key, "/index")
		bad, logged := map[string][]byte{"without": nil, "with half of": whole[:len(whole)/2]}, 0
		if nightly.Enabled() {
			bad["with no bytes of"], bad["without the last byte of"] = []byte{}, whole[:len(whole)-1]
		}
		for range nightly.Times(1, 10) {
			at, bit := c.rand.IntN(len(whole)), c.rand.IntN(8)
			flipped := slices.Clone(whole)
			flipped[at] ^= 1 << bit
			bad[fmt.Sprintf("with bit %d of byte %d flipped of", bit, at)] = flipped
		}
		for _, how := range slices.Sorted(maps.Keys(bad)) {
			c.reset()
			c.put(key, bad[how])
			before := c.errors.Load()
			c.sound(how + " " + key)
			if c.errors.Load() > before {
				logged++
			}
		}
		// A missing object is no error: a sweep may have removed it.
		if stray := !isIndex && logged == 0; !stray && logged != len(bad)-1 {
			t.Errorf("of %d faults of %s, %d are logged", len(bad)-1, key, logged)
		} else if !stray && !isIndex {
			blocks++
		}
	}
	if blocks == 0 {
		t.Error("the indexes have no blocks")
	}
	// Blocks of an index that was begun again are strays, and so is one that a killed process left.
	stray := search.Folder + string(c.rooms[0]) + "/stray"
	c.put(stray, []byte("x"))
	c.clock.Advance(2 * time.Hour)
	if _, err := c.Search.Sweep(t.Context()); err != nil || c.all()[stray] != nil {
		t.Errorf("a stray is left after a sweep: %q, %v", c.all()[stray], err)
	}
	c.sound("swept")
	for _, room := range c.rooms {
		if err := c.Search.Forget(t.Context(), room); err != nil {
			t.Error(err)
		}
	}
	if left := c.all(); len(left) > 0 {
		t.Errorf("%d objects are left", len(left))
	}
}

// TestSearch_IndexOfAnotherVersion holds that an index whose texts are folded otherwise is built
// again: it is no error, it shows no difference, and its blocks are removed.
func TestSearch_IndexOfAnotherVersion(t *testing.T) {
	t.Parallel()
	c := newCrashes(t, 6)
	former := map[string][]byte{}
	for key, body := range c.objects {
		if strings.HasSuffix(key, "/index") {
			body = search.Former(body)
		}
		former[key] = body
	}
	for _, by := range []string{"a search", "verify", "a sweep"} {
		c.objects = former
		c.reset()
		c.restart()
		again, failed := c.again.Load(), c.errors.Load()
		switch by {
		case "a search":
			c.check(c.Search, "ham")
		case "verify":
			if _, err := c.Search.Verify(t.Context(), c.rooms[0], func(d search.Difference) { t.Error(d) }); err != nil {
				t.Error(err)
			}
		case "a sweep":
			if _, err := c.Search.Sweep(t.Context()); err != nil {
				t.Error(err)
			}
		}
		c.sound(by)
		if c.again.Load() == again || c.errors.Load() != failed {
			t.Errorf("%s: %d indexes are built again, with %d errors", by, c.again.Load()-again, c.errors.Load()-failed)
		}
	}
	c.clock.Advance(2 * time.Hour)
	if _, err := c.Search.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	for key := range former {
		if !strings.HasSuffix(key, "/index") && c.all()[key] != nil {
			t.Errorf("%s is left", key)
		}
	}
	c.sound("swept")
}
