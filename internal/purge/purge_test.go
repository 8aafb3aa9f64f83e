package purge_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/purge"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
)

// hostile are rooms whose ids are prefixes of each other, and whose shards have the names of rooms.
var hostile = []chat.RoomID{"seattle", "seattle-1", "sea", "seattle-2", "seattle-1-1"}

// TestJob_RemovesOneRoomAlone purges a room among others with hostile ids. All items of the others, their feeds
// included, are the same as before the room was created.
func TestJob_RemovesOneRoomAlone(t *testing.T) {
	t.Parallel()
	for _, victim := range hostile[:3] {
		t.Run(string(victim), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, room := range hostile {
				if room != victim {
					w.fill(room)
				}
			}
			w.pump()
			before := w.dump(live)
			w.fill(victim)
			w.end(victim)
			w.pump()
			full := w.dump(live)
			o := w.options(live, victim)
			o.DryRun = true
			dry := purge.New(o)
			w.ok(dry.Run(t.Context()))
			if diff := cmp.Diff(full, w.dump(live)); diff != "" {
				t.Errorf("a dry run: %s", diff)
			}
			j := w.job(live, victim)
			w.ok(j.Run(t.Context()))
			if diff := cmp.Diff(dry.Counts(), j.Counts()); diff != "" || len(j.Counts()) < 12 {
				t.Errorf("%v, the dry run: %v", j.Counts(), dry.Counts())
			}
			w.searched(j)
			if n := len(full) - len(before); j.Counts().Total() != n-2 {
				t.Errorf("%d items removed of %d", j.Counts().Total(), n)
			}
			w.pump()
			// The feed function, which knew the end of the feed, has put one more segment.
			again := w.job(live, victim)
			w.ok(again.Run(t.Context()))
			w.searched(again)
			if n := again.Counts(); n[table.FeedKind] > 1 || n.Total() > n[table.FeedKind] {
				t.Errorf("a second purge: %v", n)
			}
			w.wantRemains(live, before, victim)
			w.pump()
			again = w.job(live, victim)
			if w.ok(again.Run(t.Context())); again.Counts().Total() != 0 {
				t.Errorf("a third purge: %v", again.Counts())
			}
		})
	}
}

// TestJob_RefusesRoomsThatAreNotDeleted leaves everything as it is.
func TestJob_RefusesRoomsThatAreNotDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill("seattle")
	w.fill("seattle-1")
	w.end("seattle-1")
	before := w.dump(live)
	wantNotDeleted(t, w.job(live, "seattle").Run(t.Context()), true)
	wantNotDeleted(t, w.job(live, "seattle-2").Run(t.Context()), false)
	if diff := cmp.Diff(before, w.dump(live)); diff != "" {
		t.Error(diff)
	}
}

// TestJob_WaitsForRequestsFromBefore begins right after the deletion and is interrupted.
func TestJob_WaitsForRequestsFromBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill("seattle")
	w.ok(w.DeleteRoom(t.Context(), "owner", "seattle", nil))
	before := w.dump(live)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := w.job(live, "seattle").Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that it waits", err)
	}
	if diff := cmp.Diff(before, w.dump(live)); diff != "" {
		t.Error(diff)
	}
}

// TestJob_ClosesALostHead purges a room whose feed is lost: its segments have expired, and a damage
// has opened it. Messages, lists and reports name all people but one.
func TestJob_ClosesALostHead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.dump(live)
	w.fill("seattle")
	w.end("seattle")
	w.expire("seattle", true)
	j := w.job(live, "seattle")
	w.ok(j.Run(t.Context()))
	w.wantRemains(live, before, "seattle", unnamed, forgotten)
	w.searched(j)
	w.wantRemains(live, before, "seattle")
}

// TestJob_StopsAtItsBudget purges in many runs of few units each. Every run removes something.
func TestJob_StopsAtItsBudget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.dump(live)
	w.fill("seattle")
	w.end("seattle")
	for runs := 1; ; runs++ {
		o := w.options(live, "seattle")
		o.Budget = 20
		j := purge.New(o)
		err := j.Run(t.Context())
		used := o.Reads.Used()
		if used > 40 {
			t.Errorf("run %d read %v units", runs, used)
		}
		if err == nil {
			if runs < 3 {
				t.Errorf("it took only %d runs", runs)
			}
			if err := j.Search(t.Context(), &scan.Progress{}, func() error { return nil }); used >= o.Budget && !errors.Is(err, scan.ErrBudget) {
				t.Errorf("a search without budget: %v", err)
			}
			break
		}
		if !errors.Is(err, scan.ErrBudget) || j.Counts().Total() == 0 {
			t.Fatal(runs, err, j.Counts(), used)
		}
	}
	w.searched(w.job(live, "seattle"))
	w.wantRemains(live, before, "seattle")
}

// killer fails every call after a number of them, as if the process had been killed.
type killer struct {
	left atomic.Int64
}

var errKilled = errors.New("killed")

func (k *killer) Do(r *http.Request) (*http.Response, error) {
	if k.left.Add(-1) < 0 {
		return nil, errKilled
	}
	return http.DefaultClient.Do(r)
}

// killStep is small while the rows of people are removed, whose order matters most.
func killStep(n int) int {
	if n < 40 {
		return 3
	}
	return 31
}

// TestJob_FinishesAfterAKill kills a purge after any number of calls. The next one finishes.
func TestJob_FinishesAfterAKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill("seattle-1")
	before := w.dump(live)
	w.fill("seattle")
	w.end("seattle")
	w.pump()
	w.expire("seattle", false)
	for n := 1; ; n += killStep(n) {
		name := fmt.Sprintf("killed-%d", n)
		w.copyTo(name)
		k := &killer{}
		k.left.Store(int64(n))
		o := w.options(name, "seattle")
		o.DB = dynamo.LocalClient(w.endpoint, func(c *dynamodb.Options) { c.HTTPClient, c.RetryMaxAttempts = k, 1 })
		err := purge.New(o).Run(t.Context())
		j := w.job(name, "seattle")
		w.ok(j.Run(t.Context()))
		if err == nil && j.Counts().Total() != 0 {
			t.Errorf("after a complete run: %v", j.Counts())
		}
		w.wantRemains(name, before, "seattle", unnamed, forgotten)
		if t.Failed() {
			t.Fatalf("killed after %d calls", n)
		}
		if err == nil {
			if n < 80 {
				t.Errorf("it took only %d calls", n)
			}
			return
		}
	}
}
