package stream_test

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

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
