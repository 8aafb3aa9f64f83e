// Package expiring implements a map whose values expire, for the services' caches.
package expiring

import (
	"container/list"
	"sync"
	"time"
)

// RemovedPerPut bounds how many expired values are removed for each one that is added. With two,
// the map shrinks to the values that have not expired.
const RemovedPerPut = 2

// Map is a map whose values expire. An expired value means the same as a missing one, so removing
// it never changes a result. A put removes a few expired values. Values that have not expired are
// never removed unless the caller calls Trim: otherwise one person's activity would show in the
// responses to others. It is not safe for concurrent use.
type Map[K comparable, V any] struct {
	entries map[K]*list.Element // each Value is an entry
	order   *list.List          // the oldest put comes first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns an empty map.
func New[K comparable, V any]() *Map[K, V] {
	return &Map[K, V]{entries: map[K]*list.Element{}, order: list.New()}
}

// Get returns the value of a key, which may have expired.
func (m *Map[K, V]) Get(key K) (V, bool) {
	element, ok := m.entries[key]
	if !ok {
		var none V
		return none, false
	}
	return m.entry(element).value, true
}

// Put stores a value and removes up to RemovedPerPut of the oldest values that have expired. That
// is more than one, so that the map shrinks.
func (m *Map[K, V]) Put(key K, value V, expired func(V) bool) {
	m.Delete(key)
	m.entries[key] = m.order.PushBack(entry[K, V]{key, value})
	for range RemovedPerPut {
		oldest := m.entry(m.order.Front())
		if oldest.key == key || !expired(oldest.value) {
			return
		}
		m.Delete(oldest.key)
	}
}

// Delete removes the value of a key, if any.
func (m *Map[K, V]) Delete(key K) {
	if element, ok := m.entries[key]; ok {
		m.order.Remove(element)
		delete(m.entries, key)
	}
}

// Len returns the number of values, including expired values that have not been removed.
func (m *Map[K, V]) Len() int { return len(m.entries) }

// Trim removes the oldest values until at most n are left. It is for values that everyone may
// know, so that one person's activity may remove another's lookups.
func (m *Map[K, V]) Trim(n int) {
	for m.order.Len() > n {
		m.Delete(m.entry(m.order.Front()).key)
	}
}

func (m *Map[K, V]) entry(element *list.Element) entry[K, V] {
	value, _ := element.Value.(entry[K, V]) // no other type is stored
	return value
}

// Cache keeps values for an age, counted from before each was read. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	age    time.Duration
	clock  func() time.Time
	mu     sync.Mutex
	values *Map[K, aged[V]]
}

type aged[V any] struct {
	value   V
	asOf    time.Time
	deleted bool
}

// NewCache returns an empty cache.
func NewCache[K comparable, V any](age time.Duration, clock func() time.Time) *Cache[K, V] {
	return &Cache[K, V]{age: age, clock: clock, values: New[K, aged[V]]()}
}

// Get returns the value of a key, unless it is missing or as old as the cache's age.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	now := c.clock()
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.values.Get(key)
	if !ok || found.deleted || c.expired(found, now) {
		return value, false
	}
	return found.value, true
}

// Put stores a value that was current at asOf, unless the key was deleted since. The caller must
// take asOf before it sends the read.
func (c *Cache[K, V]) Put(key K, value V, asOf time.Time) {
	c.put(key, aged[V]{value: value, asOf: asOf})
}

// Delete removes the value of a key, if any, and values that are being read.
func (c *Cache[K, V]) Delete(key K) {
	c.put(key, aged[V]{asOf: c.clock(), deleted: true})
}

func (c *Cache[K, V]) put(key K, v aged[V]) {
	now := c.clock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.values.Get(key); ok && found.deleted && !c.expired(found, now) && !v.asOf.After(found.asOf) {
		return
	}
	c.values.Put(key, v, func(v aged[V]) bool { return c.expired(v, now) })
}

// Len is like Map.Len.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.values.Len()
}

// Trim is like Map.Trim.
func (c *Cache[K, V]) Trim(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values.Trim(n)
}

// expired reports whether a value is too old. A value as far in the future was read before the
// clock was set back, and its age is unknown.
func (c *Cache[K, V]) expired(v aged[V], now time.Time) bool { return now.Sub(v.asOf).Abs() >= c.age }
