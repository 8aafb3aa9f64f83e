package shard

// Merge brings sources, each sorted, into one order. It never waits and never fetches: the
// caller asks Needs which sources must be read on, reads them, Feeds what
// they gave, and Pops until the merge needs more.
//
// Pop gives an item only while every source that is not at its end has an
// item waiting: whatever stands before that frontier is proven complete, and
// nothing beyond it is given out. A source that could not be read is
// not fed, so the merge stays where it is; it cannot pass it over.
type Merge[T any] struct {
	less    func(a, b T) bool
	sources []source[T]
}

type source[T any] struct {
	items []T
	ended bool
}

// NewMerge starts a merge of n sources that are sorted by less.
func NewMerge[T any](n int, less func(a, b T) bool) *Merge[T] {
	return &Merge[T]{less: less, sources: make([]source[T], n)}
}

// Needs lists the sources that have nothing waiting and are not at their
// end: all of them at the start, none when Pop has something to give.
func (m *Merge[T]) Needs() []int {
	var needs []int
	for i, s := range m.sources {
		if len(s.items) == 0 && !s.ended {
			needs = append(needs, i)
		}
	}
	return needs
}

// Feed adds what source i gave next; ended says that it has no more.
func (m *Merge[T]) Feed(i int, items []T, ended bool) {
	s := &m.sources[i]
	s.items = append(s.items, items...)
	s.ended = ended
}

// Pop gives the next item in order. It reports false when a source must be
// fed first, or when all have ended: Needs tells which.
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
