package chat

import "container/list"

// expiring is a map whose values expire. An expired value means the same as a missing one, so
// removing it never changes an answer. A put removes a few expired values. Values that have not
// expired are never removed, however many there are: otherwise one person's activity would show in
// the answers to others. It is not safe for concurrent use.
type expiring[K comparable, V any] struct {
	entries map[K]*list.Element // each Value is an expiringEntry
	order   *list.List          // the oldest put is first
}

type expiringEntry[K comparable, V any] struct {
	key   K
	value V
}

func newExpiring[K comparable, V any]() *expiring[K, V] {
	return &expiring[K, V]{entries: map[K]*list.Element{}, order: list.New()}
}

func (e *expiring[K, V]) get(key K) (V, bool) {
	element, ok := e.entries[key]
	if !ok {
		var none V
		return none, false
	}
	return e.entry(element).value, true
}

// put stores a value and removes up to removedPerPut of the oldest values that have expired. That
// is more than one, so that the map shrinks.
func (e *expiring[K, V]) put(key K, value V, expired func(V) bool) {
	e.delete(key)
	e.entries[key] = e.order.PushBack(expiringEntry[K, V]{key, value})
	for range removedPerPut {
		oldest := e.entry(e.order.Front())
		if oldest.key == key || !expired(oldest.value) {
			return
		}
		e.delete(oldest.key)
	}
}

func (e *expiring[K, V]) delete(key K) {
	if element, ok := e.entries[key]; ok {
		e.order.Remove(element)
		delete(e.entries, key)
	}
}

func (e *expiring[K, V]) entry(element *list.Element) expiringEntry[K, V] {
	value, _ := element.Value.(expiringEntry[K, V]) // no other type is stored
	return value
}
