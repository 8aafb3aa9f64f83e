package stream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/race"
)

// TestErase_ProcessEndsAtEachRequest ends the eraser's process at each of its requests, before or
// after it takes effect. Another process must come to the same end.
func TestErase_ProcessEndsAtEachRequest(t *testing.T) {
	t.Parallel()
	s := &scenario{endpoint: enginetest.Start(t)}
	const never = 1 << 30
	counted := &crash{at: never}
	want := s.calm(t, counted.options)
	steps := counted.count.Load()
	if steps < 30 {
		t.Fatalf("only %d requests", steps)
	}
	for at := range steps {
		for _, after := range []bool{false, true} {
			if !nightly.One(int(at), race.Times(crashShare, 4*crashShare)) {
				continue
			}
			e := s.erasureOf(t)
			e.run(e.eraser((&crash{at: at + 1, after: after}).options))
			if diff := cmp.Diff(want, e.state()); diff != "" || len(e.failures.all) > 0 || t.Failed() {
				t.Fatalf("request %d of %d failed, took effect: %v (-want +got):\n%s\n%+v", at+1, steps, after, diff, e.failures.all)
			}
		}
	}
}

// crashShare is the number of requests of which every run of the tests ends the process at one.
const crashShare = 3

// TestErase_EachCallFails fails each call of an erasure in each way that fits, in all its attempts.
func TestErase_EachCallFails(t *testing.T) {
	t.Parallel()
	s := &scenario{endpoint: enginetest.Start(t)}
	injector := &faults.Injector{}
	want := s.calm(t, injector.Options)
	calls, cells := injector.Calls(), 0
	for _, call := range calls {
		for _, fault := range faults.All() {
			if !fault.Fits(call.Operation) {
				continue
			}
			if cells++; !nightly.One(cells, race.Times(callShare, 4*callShare)) {
				continue
			}
			e := s.erasureOf(t)
			injector := &faults.Injector{}
			injector.Plan(faults.Rule{Fault: fault, Operation: call.Operation, N: call.N})
			e.run(e.eraser(injector.Options))
			if diff := cmp.Diff(want, e.state()); diff != "" || len(e.failures.all) > 0 || t.Failed() {
				t.Fatalf("%v at %v (-want +got):\n%s\n%+v", fault, call, diff, e.failures.all)
			}
		}
	}
	if cells < 300 {
		t.Errorf("only %d cells", cells)
	}
}

// callShare is the number of cells of which every run of the tests tries one. It is prime, so that the
// calls are tried with different faults.
const callShare = 13
