package search

import (
	"container/list"
	"sync"
)

// shelf keeps the blocks and indexes that were used last in memory, by their keys in the bucket. It
// is safe for concurrent use.
type shelf struct {
	limit int // of bytes

	mu     sync.Mutex
	used   int
	order  list.List // of *kept, the last used first
	values map[string]*list.Element
}

// sized is a value of a shelf: a *Block or an *index.
type sized interface{ size() int }

type kept struct {
	key   string
	value sized
}

func newShelf(limit int) *shelf { return &shelf{limit: limit, values: map[string]*list.Element{}} }

// onShelf returns the value of a key, if the shelf has it.
func onShelf[V sized](s *shelf, key string) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.values[key]
	if !ok {
		return value, false
	}
	s.order.MoveToFront(e)
	value, ok = e.Value.(*kept).value.(V)
	return value, ok
}

func (s *shelf) put(key string, value sized) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	s.values[key] = s.order.PushFront(&kept{key, value})
	for s.used += value.size(); s.used > s.limit && s.order.Len() > 1; {
		s.remove(s.order.Back().Value.(*kept).key)
	}
}

func (s *shelf) delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
}

func (s *shelf) remove(key string) {
	if e, ok := s.values[key]; ok {
		s.used -= s.order.Remove(e).(*kept).value.size()
		delete(s.values, key)
	}
}
