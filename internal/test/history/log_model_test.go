package history_test

import (
	"context"
	"hash/maphash"
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"

	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// To its readers, the feed of a room is an append-only log. The model contains only that: an append
// continues after the last number, and a read returns the state at one moment of its call. It knows
// nothing of streams. It is sound because every append goes through stream.Store, where its
// interval is recorded. The interval starts when the segment is written. It ends when a consumer
// has moved the head past the segment, which makes the segment visible. An append that took effect
// is permanent. An append of unknown outcome took effect at some time if the feed contains it in
// the end, and never otherwise.
//
// Linearizability then means that a head never goes back, for one reader or across readers. An
// entry once read under a number stays there for everyone. Numbers have no gaps, and nothing is
// read before it is appended. The model does not check that the entries are correct: checkFeed
// does.

// appendInput is an append of changes after number first-1.
type appendInput struct {
	first   int64
	changes []feed.Change
}

// appendOutput is the outcome of an append. A rejected append that was resent may have met its own
// write, so its outcome is unknown. Any other rejection proves nothing, since the existing entry
// need not be visible yet.
type appendOutput struct{ ok, resent, unknown bool }

// readInput and entries are a read of the changes after a number, as one part of a call of Changes.
type readInput struct{ since int64 }
type entries []feed.Change

// headInput and head are a read of the head, as the other part. Separate queries serve the two
// parts, so they may show different moments. Each is an operation within the interval of the call.
type headInput struct{}
type head int64

// node is the last change of a log. Logs share their common prefix.
type node struct {
	prev   *node
	change feed.Change
	seq    int64
	hash   uint64 // of all changes up to this one
}

var logSeed = maphash.MakeSeed()

func (n *node) last() int64 {
	if n == nil {
		return 0
	}
	return n.seq
}

func (n *node) total() uint64 {
	if n == nil {
		return 0
	}
	return n.hash
}

func (n *node) push(changes []feed.Change) *node {
	for _, c := range changes {
		n = &node{prev: n, change: c, seq: n.last() + 1, hash: maphash.Comparable(logSeed, [2]any{n.total(), c})}
	}
	return n
}

// contains reports whether the changes follow the number since.
func (n *node) contains(since int64, changes []feed.Change) bool {
	to := since + int64(len(changes))
	if to > n.last() {
		return false
	}
	for n != nil && n.seq > to {
		n = n.prev
	}
	for _, c := range slices.Backward(changes) {
		if n.change != c {
			return false
		}
		n = n.prev
	}
	return true
}

func feedLog() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return (*node)(nil) },
		Step: func(state, input, output any) (bool, any) {
			n := state.(*node)
			switch in := input.(type) {
			case appendInput:
				return n.step(in, output.(appendOutput))
			case readInput:
				return n.contains(in.since, output.(entries)), n
			}
			return n.last() == int64(output.(head)), n
		},
		Equal: func(a, b any) bool {
			x, y := a.(*node), b.(*node)
			return x.last() == y.last() && x.total() == y.total()
		},
		Hash: func(a any) uint64 { return a.(*node).total() },
	}
}

func (n *node) step(in appendInput, out appendOutput) (bool, any) {
	applies := in.first == n.last()+1
	switch {
	case out.ok && applies, out.resent && applies:
		return true, n.push(in.changes)
	case out.ok:
		return false, n
	}
	return true, n
}

// recordedStore is a stream.Store that records its appends.
type recordedStore struct {
	stream.Store
	rec *recorder
}

func (s recordedStore) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	ctx, writes := countWrites(ctx)
	in := appendInput{first: segment.First, changes: normalized(segment.Changes)}
	called := s.rec.now()
	ok, err := s.Store.AppendSegment(ctx, segment)
	switch {
	case ok:
		s.rec.written(segment.Room, porcupine.Operation{Input: in, Call: called, Output: appendOutput{ok: true}, Return: never})
	case err != nil || writes.Load() > 1: // or the append was rejected because of its own write
		s.rec.log(segment.Room, in, called, appendOutput{resent: true, unknown: true})
	}
	return ok, err
}

// PutFeedHead makes the segments up to the head visible to readers.
func (s recordedStore) PutFeedHead(ctx context.Context, head feed.Head) error {
	err := s.Store.PutFeedHead(ctx, head)
	if err == nil {
		s.rec.published(head.Room, head.Last)
	}
	return err
}

// normalized returns the changes as they are stored. The revision of a message identifies a change,
// so its origin is not stored.
func normalized(changes []feed.Change) []feed.Change {
	changes = slices.Clone(changes)
	for i := range changes {
		if changes[i].Type.OfMessage() {
			changes[i].Origin = 0
		}
	}
	return changes
}

// dropFailed removes the appends of unknown outcome that are not in the final feed.
func dropFailed(log []porcupine.Operation, segments []feed.Segment) []porcupine.Operation {
	final := map[int64][]feed.Change{}
	for _, s := range segments {
		final[s.First] = s.Changes
	}
	var all []porcupine.Operation
	for _, o := range log {
		if in, ok := o.Input.(appendInput); ok && o.Output.(appendOutput).unknown && !slices.Equal(in.changes, final[in.first]) {
			continue
		}
		all = append(all, o)
	}
	return all
}

// Other checks find most wrong numbers before the model does. These histories are wrong only in
// time.
func TestLogModel_FindsALogThatGoesBack(t *testing.T) {
	t.Parallel()
	a, b := feed.Change{Type: feed.RoomChanged, Origin: 1}, feed.Change{Type: feed.RoomChanged, Origin: 2}
	at := func(call, until int64, input, output any) porcupine.Operation {
		return porcupine.Operation{Call: call, Return: until, Input: input, Output: output}
	}
	first := at(10, 20, appendInput{1, []feed.Change{a}}, appendOutput{ok: true})
	lost := at(10, never, appendInput{1, []feed.Change{a}}, appendOutput{resent: true, unknown: true})
	for _, tt := range []struct {
		name    string
		history []porcupine.Operation
		want    porcupine.CheckResult
	}{
		{"read during the append", []porcupine.Operation{first, at(11, 12, headInput{}, head(1)), at(13, 14, readInput{0}, entries{a})}, porcupine.Ok},
		{"read before the append", []porcupine.Operation{first, at(5, 9, headInput{}, head(1))}, porcupine.Illegal},
		{"not read after the append", []porcupine.Operation{first, at(21, 22, headInput{}, head(0))}, porcupine.Illegal},
		{"head goes back", []porcupine.Operation{first, at(11, 12, headInput{}, head(1)), at(13, 14, headInput{}, head(0))}, porcupine.Illegal},
		{"different entry under the number", []porcupine.Operation{first, at(21, 22, readInput{0}, entries{b})}, porcupine.Illegal},
		{"two entries under one number", []porcupine.Operation{first, at(21, 22, appendInput{1, []feed.Change{b}}, appendOutput{ok: true})}, porcupine.Illegal},
		{"gap in the numbers", []porcupine.Operation{first, at(21, 22, appendInput{3, []feed.Change{b}}, appendOutput{ok: true})}, porcupine.Illegal},
		{"rejected because of its own write", []porcupine.Operation{
			first, at(21, 22, appendInput{2, []feed.Change{b}}, appendOutput{resent: true, unknown: true}), at(23, 24, headInput{}, head(2)),
		}, porcupine.Ok},
		{"lost response, append visible", []porcupine.Operation{lost, at(30, 31, headInput{}, head(0)), at(32, 33, readInput{0}, entries{a})}, porcupine.Ok},
		{"lost response, append disappears", []porcupine.Operation{lost, at(30, 31, headInput{}, head(1)), at(32, 33, headInput{}, head(0))}, porcupine.Illegal},
	} {
		if got := porcupine.CheckOperationsTimeout(feedLog(), tt.history, checkTime); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
