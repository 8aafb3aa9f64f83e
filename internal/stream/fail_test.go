package stream_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/nightly"
)

// crash ends a process at its nth request: before the request is sent, or after it has taken effect
// but before its response is read.
type crash struct {
	next  dynamodb.HTTPClient
	at    int64
	after bool
	count atomic.Int64
}

var errCrashed = errors.New("the process has crashed")

func (c *crash) Do(r *http.Request) (*http.Response, error) {
	n := c.count.Add(1)
	if n > c.at || n == c.at && !c.after {
		return nil, errCrashed
	}
	resp, err := c.next.Do(r)
	if n == c.at {
		if err == nil {
			_ = resp.Body.Close()
		}
		return nil, errCrashed
	}
	return resp, err
}

func (c *crash) options(o *dynamodb.Options) { c.next, o.HTTPClient = o.HTTPClient, c }

// failShare is the number of cells of which every run of the tests tries one. It is prime, so that the
// calls are tried with different faults.
const failShare = 7

func TestHandle_EachCallFails(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	injector := &faults.Injector{}
	p := s.play(t)
	first := s.records[:len(s.records)/2]
	p.deliverBy(p.process(injector.Options), first)
	p.deliverBy(p.process(injector.Options), s.records)
	calls, cells := injector.Calls(), 0
	for _, call := range calls {
		for _, fault := range faults.All() {
			if !fault.Fits(call.Operation) {
				continue
			}
			for _, attempts := range []int{1, 0} { // the SDK's retry succeeds, or all attempts fail
				if cells++; cells%nightly.Times(failShare, 1) != 0 {
					continue
				}
				p := s.play(t)
				injector := &faults.Injector{}
				injector.Plan(faults.Rule{Fault: fault, Operation: call.Operation, N: call.N, Attempts: attempts})
				for _, piece := range []batch{first, s.records} {
					p.deliverAll(piece, func(int) *stream.Handler { return p.process(injector.Options) })
				}
				p.wantComplete()
				if t.Failed() {
					t.Fatalf("%v at %v, %d attempts", fault, call, attempts)
				}
			}
		}
	}
	t.Logf("%d calls, %d cells", len(calls), cells)
	if cells < 60 {
		t.Errorf("only %d cells", cells)
	}
}

// contested is a store whose first put is refused, as if another process had been first. It keeps
// when each put was made.
type contested struct {
	stream.Store
	puts []time.Time
}

func (c *contested) AppendSegment(ctx context.Context, s feed.Segment) (bool, error) {
	c.puts = append(c.puts, time.Now())
	if len(c.puts) == 1 {
		return false, nil
	}
	return c.Store.AppendSegment(ctx, s)
}

// TestAppend_WaitsLongerWithMoreChanges refuses the first put of a change, and of a thousand. The
// waits are the longest ones, since the random part of them is the whole.
func TestAppend_WaitsLongerWithMoreChanges(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for n, least := range map[int]time.Duration{1: 25 * time.Millisecond, 1000: 225 * time.Millisecond} {
		room := chat.RoomID("seattle-" + chat.NewUUID(time.Now(), [10]byte{byte(n)}).String())
		var changes []feed.StreamChange
		for i := range n {
			id := chat.MessageID{User: "amsg", UUID: chat.NewUUID(time.Now(), [10]byte{8: byte(i >> 8), 9: byte(i)})}
			changes = append(changes, feed.StreamChange{Change: feed.Change{Type: feed.MessageCreated, Message: id, Revision: 1}, Created: time.Now()})
		}
		store := &contested{Store: w.store}
		appender := stream.NewAppender(stream.Options{Store: store, Clock: time.Now, Jitter: func() float64 { return 1 }})
		if appended, err := appender.Append(t.Context(), room, "g", changes); appended != n || err != nil {
			t.Fatal(appended, err)
		}
		if len(store.puts) != 2 {
			t.Fatalf("%d changes take %d puts", n, len(store.puts))
		}
		if wait := store.puts[1].Sub(store.puts[0]); wait < least {
			t.Errorf("%d changes are put again after %v, want at least %v", n, wait, least)
		}
	}
}
