package shard

import (
	"math"
	"slices"
)

// Merge merges sorted sources into one order. It never waits and never reads a source itself. The
// caller reads the sources that Needs lists, passes their items to Feed, and calls Pop until the
// merge needs more.
//
// Pop returns an item only while every source has an item, has ended, or is deferred to a place
// after the item. Everything before that frontier is therefore complete, and nothing after it is
// returned. A source that could not be read is not fed, so the merge cannot skip it.
type Merge[T any] struct {
	less    func(a, b T) bool
	sources []source[T]
}

type source[T any] struct {
	items []T
	ended bool
	bound *T // no item of a deferred source is before it
}

// NewMerge returns a merge of n sources that are sorted by less.
func NewMerge[T any](n int, less func(a, b T) bool) *Merge[T] {
	return &Merge[T]{less: less, sources: make([]source[T], n)}
}

// Defer declares that source i has no item before bound. The merge does not need the source as
// long as it can return items before bound. The first call of Feed for the source ends the
// deferral.
func (m *Merge[T]) Defer(i int, bound T) { m.sources[i].bound = &bound }

// Needs returns the sources that must be read before Pop can return an item: sources that have no
// items left, have not ended, and are not deferred to a later place. It returns none if Pop can
// return an item, or if all sources have ended.
func (m *Merge[T]) Needs() []int {
	best := m.first()
	var needs []int
	for i, s := range m.sources {
		if s.waits() && m.blocks(s, best) {
			needs = append(needs, i)
		}
	}
	if len(needs) == 0 && best < 0 {
		return m.nextDeferred()
	}
	return needs
}

// Left reports whether a source has an item that Pop has not returned.
func (m *Merge[T]) Left() bool {
	return slices.ContainsFunc(m.sources, func(s source[T]) bool { return len(s.items) > 0 })
}

// nextDeferred returns the deferred sources whose items may be the next ones, if no other source
// has any.
func (m *Merge[T]) nextDeferred() []int {
	var next []int
	for i, s := range m.sources {
		if !s.waits() {
			continue
		}
		if len(next) > 0 && m.less(*s.bound, *m.sources[next[0]].bound) {
			next = next[:0]
		}
		if len(next) == 0 || !m.less(*m.sources[next[0]].bound, *s.bound) {
			next = append(next, i)
		}
	}
	return next
}

// Feed adds the next items of source i; ended reports whether it has no more.
func (m *Merge[T]) Feed(i int, items []T, ended bool) {
	s := &m.sources[i]
	s.items = append(s.items, items...)
	s.ended, s.bound = ended, nil
}

// Pop returns the next item in order. ok is false if a source must be fed first or if all sources
// have ended; Needs distinguishes the two.
func (m *Merge[T]) Pop() (item T, ok bool) {
	best := m.first()
	if best < 0 {
		return item, false
	}
	for _, s := range m.sources {
		if s.waits() && m.blocks(s, best) {
			return item, false
		}
	}
	s := &m.sources[best]
	item, s.items = s.items[0], s.items[1:]
	return item, true
}

// blocks reports whether a waiting source may have an item before the first of source best, which
// is -1 if no source has any.
func (m *Merge[T]) blocks(s source[T], best int) bool {
	return s.bound == nil || best >= 0 && !m.less(m.sources[best].items[0], *s.bound)
}

// first returns the source with the first of the items that were fed, or -1 if there are none.
func (m *Merge[T]) first() int {
	best := -1
	for i, s := range m.sources {
		if len(s.items) > 0 && (best < 0 || m.less(s.items[0], m.sources[best].items[0])) {
			best = i
		}
	}
	return best
}

// waits reports whether the source has no item to offer and may have more.
func (s source[T]) waits() bool { return len(s.items) == 0 && !s.ended }

// unitBytes is the number of bytes that half a read unit pays for in an eventually consistent
// query. A query is billed for the sum of its items, rounded up to a multiple of it.
const unitBytes = 4096

// Reserve is how many standard deviations above its expected share a shard is assumed to hold. It
// is a trade-off. With a higher value more items are read and discarded. With a lower value shards
// run dry before the page is full more often. The benchmark, make bench, measures both.
type Reserve float64

// The reserves.
const (
	// Full is for a page that must be full: in 96 of 100 pages no shard runs dry.
	Full Reserve = 2.25
	// Short is for a page that may end where a shard runs dry.
	Short Reserve = 1
)

// margin is the factor by which the items of a unit may exceed their expected size before they cost
// another unit. Item sizes vary, so without it about every other query would cost one more.
const margin = 1.05

// Fill returns how many items to query from a shard for the next want items of about itemBytes
// each. The shard is expected to hold the given share of them, from 0 to 1. The result is the
// expected number plus the reserve, rounded up to the number of items that the same read units pay
// for. It is at least 1.
func Fill(want int, share float64, itemBytes int, reserve Reserve) int {
	itemBytes = max(itemBytes, 1)
	mean := float64(want) * share
	deviation := math.Sqrt(mean * (1 - share))
	likely := max(1, min(want, int(math.Ceil(mean+float64(reserve)*deviation))))
	bytes := float64(itemBytes) * margin
	units := math.Ceil(float64(likely) * bytes / unitBytes)
	return max(likely, int(units*unitBytes/bytes))
}
