package history_test

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/anishathalye/porcupine"

	"parley/internal/feed"
	"parley/internal/feedwriter"
)

// The feed of a room is, to those who read it, a log that only grows. It is modelled as that alone: what
// is appended stands under the number behind the last one, and whoever reads is shown
// what stands at one moment of their call. The model knows nothing of streams. It is sound since every
// append goes through feedwriter.Store, where it is taken down with its own interval: from when the segment is
// put until the head is moved behind it, by whomever, which is when readers are shown it. An append that took
// effect stays: of those with unknown outcomes, the ones that stand in the
// feed in the end took effect at some time, and the others never did.
//
// Linearizability says here that a head never goes back, neither for one reader nor from one to the
// next, that an entry once read under a number is read under it ever after by
// everyone, that numbers have no gaps, and that nothing is read before it is appended. What it does
// not say is that the entries are the right ones: that is for faithful.

// appending is an append of changes behind first-1.
type appending struct {
	first   int64
	changes []feed.Change
}

// appended is its outcome. One that was refused, and sent more than once, may have been refused by its own
// traces, and so is of unknown outcome too; one that was refused otherwise says nothing: what
// stands there need not be shown yet.
type appended struct{ ok, again, unknown bool }

// reading and entries are the part of an answer of Changes that tells of the log: the changes behind a number.
type reading struct{ since int64 }
type entries []feed.Change

// heading and head are the other part. The two are read by queries of their own, so they may
// tell of two moments: each is an operation, within the interval of the call.
type heading struct{}
type head int64

// node is the last change of a log; logs share what they have in common.
type node struct {
	before *node
	change feed.Change
	number int64
	sum    uint64 // of all changes to this one
}

var logSeed = maphash.MakeSeed()

func (n *node) last() int64 {
	if n == nil {
		return 0
	}
	return n.number
}

func (n *node) total() uint64 {
	if n == nil {
		return 0
	}
	return n.sum
}

func (n *node) push(changes []feed.Change) *node {
	for _, c := range changes {
		n = &node{before: n, change: c, number: n.last() + 1, sum: maphash.Comparable(logSeed, [2]any{n.total(), c})}
	}
	return n
}

// holds tells whether changes stand behind a number.
func (n *node) holds(since int64, changes []feed.Change) bool {
	to := since + int64(len(changes))
	if to > n.last() {
		return false
	}
	for n != nil && n.number > to {
		n = n.before
	}
	for _, c := range slices.Backward(changes) {
		if n.change != c {
			return false
		}
		n = n.before
	}
	return true
}

func feedLog() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return (*node)(nil) },
		Step: func(state, input, output any) (bool, any) {
			n := state.(*node)
			switch in := input.(type) {
			case appending:
				return n.appends(in, output.(appended))
			case reading:
				return n.holds(in.since, output.(entries)), n
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

func (n *node) appends(in appending, out appended) (bool, any) {
	fits := in.first == n.last()+1
	switch {
	case out.ok && fits, out.again && fits:
		return true, n.push(in.changes)
	case out.ok:
		return false, n
	}
	return true, n
}

// recordedStore is a feedwriter.Store whose appends are taken down.
type recordedStore struct {
	feedwriter.Store
	rec *recorder
}

func (s recordedStore) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	ctx, sent := countWrites(ctx)
	in := appending{first: segment.First, changes: stored(segment.Changes)}
	called := s.rec.now()
	ok, err := s.Store.AppendSegment(ctx, segment)
	switch {
	case ok:
		s.rec.put(segment.Room, porcupine.Operation{Input: in, Call: called, Output: appended{ok: true}, Return: never})
	case err != nil || sent.Load() > 1: // or it may have been refused by its own traces
		s.rec.log(segment.Room, in, called, appended{again: true, unknown: true})
	}
	return ok, err
}

// PutFeedHead shows readers what was put.
func (s recordedStore) PutFeedHead(ctx context.Context, head feed.Head) error {
	err := s.Store.PutFeedHead(ctx, head)
	if err == nil {
		s.rec.shown(head.Room, head.Last)
	}
	return err
}

// stored are changes as they are kept: a message's revision tells it apart, not where it came from.
func stored(changes []feed.Change) []feed.Change {
	changes = slices.Clone(changes)
	for i := range changes {
		if changes[i].Type.OfMessage() {
			changes[i].Origin = 0
		}
	}
	return changes
}

// resolved leaves out the appends of unknown outcome that do not stand in the feed in the end.
func resolved(log []porcupine.Operation, segments []feed.Segment) []porcupine.Operation {
	standing := map[int64][]feed.Change{}
	for _, s := range segments {
		standing[s.First] = s.Changes
	}
	var all []porcupine.Operation
	for _, o := range log {
		if in, ok := o.Input.(appending); ok && o.Output.(appended).unknown && !slices.Equal(in.changes, standing[in.first]) {
			continue
		}
		all = append(all, o)
	}
	return all
}
