package chat

import "container/list"

// expiring remembers values that fade by themselves: one that has faded is as good as
// none, so whether it was forgotten changes no answer to anyone. It holds what was put and has
// not faded, and drops what has bit by bit: never anything else, however many there are, since
// that would let some people's doings show in what others are answered. It is not safe
// for concurrent use.
type expiring[K comparable, V any] struct {
	entries map[K]*list.Element // of faint
	order   *list.List          // what was put longest ago is first
}

type expiringEntry[K comparable, V any] struct {
	key   K
	value V
}

func newExpiring[K comparable, V any]() *expiring[K, V] {
	return &expiring[K, V]{entries: map[K]*list.Element{}, order: list.New()}
}

func (f *expiring[K, V]) get(key K) (V, bool) {
	e, ok := f.entries[key]
	if !ok {
		var none V
		return none, false
	}
	return f.at(e).value, true
}

// put remembers a value, and forgets a few of the oldest that have faded: more than one, so
// that they become fewer.
func (f *expiring[K, V]) put(key K, value V, faded func(V) bool) {
	f.forget(key)
	f.entries[key] = f.order.PushBack(expiringEntry[K, V]{key, value})
	for range forgottenPerPut {
		oldest := f.at(f.order.Front())
		if oldest.key == key || !faded(oldest.value) {
			return
		}
		f.forget(oldest.key)
	}
}

func (f *expiring[K, V]) forget(key K) {
	if e, ok := f.entries[key]; ok {
		f.order.Remove(e)
		delete(f.entries, key)
	}
}

func (f *expiring[K, V]) at(e *list.Element) expiringEntry[K, V] {
	value, _ := e.Value.(expiringEntry[K, V]) // nothing else is put
	return value
}
