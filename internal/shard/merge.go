package shard

import "slices"

// Merge merges sorted sources into one order. It never waits and never reads a source itself. The
// caller reads the sources that Needs lists, passes their items to Feed, and calls Pop until the
// merge needs more.
//
// Pop returns an item only while every source has an item or has ended. Everything before that
// frontier is therefore complete, and nothing after it is returned. A source that could not be read
// is not fed, so the merge cannot skip it.
type Merge[T any] struct {
	less    func(a, b T) bool
	sources []source[T]
}

type source[T any] struct {
	items []T
	ended bool
}

// NewMerge returns a merge of n sources that are sorted by less.
func NewMerge[T any](n int, less func(a, b T) bool) *Merge[T] {
	return &Merge[T]{less: less, sources: make([]source[T], n)}
}

// Needs returns the sources that have no items left and have not ended. That is all of them at the
// start, and none if Pop can return an item.
func (m *Merge[T]) Needs() []int {
	var needs []int
	for i, s := range m.sources {
		if len(s.items) == 0 && !s.ended {
			needs = append(needs, i)
		}
	}
	return needs
}

// Left reports whether a source has an item that Pop has not returned.
func (m *Merge[T]) Left() bool {
	return slices.ContainsFunc(m.sources, func(s source[T]) bool { return len(s.items) > 0 })
}

// Feed adds the next items of source i; ended reports whether it has no more.
func (m *Merge[T]) Feed(i int, items []T, ended bool) {
	s := &m.sources[i]
	s.items = append(s.items, items...)
	s.ended = ended
}

// Pop returns the next item in order. ok is false if a source must be fed first or if all sources
// have ended; Needs distinguishes the two.
func (m *Merge[T]) Pop() (item T, ok bool) {
	best := -1
	for i, s := range m.sources {
		if len(s.items) == 0 {
			if s.ended {
				continue
			}
			return item, false
		}
		if best < 0 || m.less(s.items[0], m.sources[best].items[0]) {
			best = i
		}
	}
	if best < 0 {
		return item, false
	}
	s := &m.sources[best]
	item, s.items = s.items[0], s.items[1:]
	return item, true
}
