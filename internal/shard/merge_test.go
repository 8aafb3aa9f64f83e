package shard

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// feeder returns the items of a source in parts.
type feeder struct {
	rest []int
}

func (f *feeder) next(n int) (part []int, ended bool) {
	n = min(n, len(f.rest))
	part, f.rest = f.rest[:n], f.rest[n:]
	return part, len(f.rest) == 0
}

// TestMerge_ReturnsAllItemsInOrder feeds a merge in random steps.
func TestMerge_ReturnsAllItemsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := rapid.SliceOfN(rapid.SliceOf(rapid.IntRange(0, 50)), 1, 9).Draw(t, "sources")
		var want, got []int
		feeders := make([]*feeder, len(sources))
		for i, s := range sources {
			slices.Sort(s)
			want = append(want, s...)
			feeders[i] = &feeder{rest: s}
		}
		slices.Sort(want)

		m := NewMerge(len(sources), cmp.Less[int])
		for len(m.Needs()) > 0 {
			i := rapid.SampledFrom(m.Needs()).Draw(t, "source")
			part, ended := feeders[i].next(rapid.IntRange(0, 4).Draw(t, "part"))
			m.Feed(i, part, ended)
			for v, ok := m.Pop(); ok; v, ok = m.Pop() {
				for j, f := range feeders {
					if len(f.rest) > 0 && f.rest[0] < v {
						t.Fatalf("%d was returned before %d of source %d was read", v, f.rest[0], j)
					}
				}
				got = append(got, v)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// TestMerge_ReadsDeferredSourcesInTime defers sources to a place at or before their first item.
func TestMerge_ReadsDeferredSourcesInTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := rapid.SliceOfN(rapid.SliceOf(rapid.IntRange(0, 50)), 1, 9).Draw(t, "sources")
		m := NewMerge(len(sources), cmp.Less[int])
		var want, got []int
		bounds := make([]int, len(sources))
		feeders := make([]*feeder, len(sources))
		for i, s := range sources {
			slices.Sort(s)
			want = append(want, s...)
			feeders[i] = &feeder{rest: s}
			if rapid.Bool().Draw(t, "deferred") {
				bounds[i] = rapid.IntRange(0, append(s, 50)[0]).Draw(t, "bound")
				m.Defer(i, bounds[i])
			}
		}
		slices.Sort(want)

		for needs := m.Needs(); len(needs) > 0; needs = m.Needs() {
			for _, i := range needs {
				part, ended := feeders[i].next(rapid.IntRange(1, 4).Draw(t, "part"))
				m.Feed(i, part, ended)
			}
			for v, ok := m.Pop(); ok; v, ok = m.Pop() {
				got = append(got, v)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestMerge_LeavesDeferredSourcesUnread(t *testing.T) {
	m := NewMerge(4, cmp.Less[int])
	m.Defer(1, 10)
	m.Defer(2, 20)
	m.Defer(3, 10)
	m.Feed(0, []int{1, 9, 10}, true)
	for _, want := range []int{1, 9} {
		if v, ok := m.Pop(); !ok || v != want {
			t.Errorf("got %d %v, want %d", v, ok, want)
		}
	}
	if got := m.Needs(); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("at 10 it needs %v, want sources 1 and 3", got)
	}
	m.Feed(1, nil, true)
	m.Feed(3, nil, true)
	if v, ok := m.Pop(); !ok || v != 10 {
		t.Errorf("got %d %v, want 10", v, ok)
	}
	if got := m.Needs(); !slices.Equal(got, []int{2}) {
		t.Errorf("at the end it needs %v, want source 2", got)
	}
}

func TestMerge_WaitsForEverySource(t *testing.T) {
	m := NewMerge(3, cmp.Less[int])
	m.Feed(0, []int{1, 2}, true)
	m.Feed(2, []int{3}, true)
	if v, ok := m.Pop(); ok {
		t.Errorf("returned %d before source 1 was read", v)
	}
	if got := m.Needs(); !slices.Equal(got, []int{1}) {
		t.Errorf("needs %v, want source 1", got)
	}
	m.Feed(1, nil, true)
	for want := 1; want <= 3; want++ {
		if v, ok := m.Pop(); !ok || v != want {
			t.Errorf("got %d %v, want %d", v, ok, want)
		}
	}
	if _, ok := m.Pop(); ok || len(m.Needs()) != 0 {
		t.Error("the merge continues after its end")
	}
}
