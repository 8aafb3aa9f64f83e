package search

import (
	"container/list"
	"sync"
)

// shelf keeps the values that were used last, up to a number of bytes. It is safe for concurrent
// use.
type shelf[V any] struct {
	limit int
	size  func(V) int

	mu     sync.Mutex
	used   int
	order  list.List // of *kept[V], the last used first
	values map[string]*list.Element
}

type kept[V any] struct {
	key   string
	value V
	size  int
}

func newShelf[V any](limit int, size func(V) int) *shelf[V] {
	return &shelf[V]{limit: limit, size: size, values: map[string]*list.Element{}}
}

func (s *shelf[V]) get(key string) (value V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.values[key]
	if !ok {
		return value, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*kept[V]).value, true
}

func (s *shelf[V]) put(key string, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	k := &kept[V]{key, value, s.size(value)}
	s.values[key] = s.order.PushFront(k)
	for s.used += k.size; s.used > s.limit && s.order.Len() > 1; {
		s.remove(s.order.Back().Value.(*kept[V]).key)
	}
}

func (s *shelf[V]) delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
}

func (s *shelf[V]) remove(key string) {
	if e, ok := s.values[key]; ok {
		s.used -= s.order.Remove(e).(*kept[V]).size
		delete(s.values, key)
	}
}
