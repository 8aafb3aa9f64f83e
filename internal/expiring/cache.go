package expiring

import (
	"sync"
	"time"
)

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
