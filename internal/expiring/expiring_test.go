package expiring_test

import (
	"testing"

	"example.com/parley/internal/expiring"
)

func TestMap_TrimRemovesTheOldest(t *testing.T) {
	t.Parallel()
	m := expiring.New[int, string]()
	never := func(string) bool { return false }
	for i := range 5 {
		m.Put(i, "a", never)
	}
	m.Put(0, "b", never) // is now the newest
	m.Trim(6)
	if m.Len() != 5 {
		t.Errorf("%d values are left of 5 that fit", m.Len())
	}
	m.Trim(2)
	if m.Len() != 2 {
		t.Errorf("%d values are left, want 2", m.Len())
	}
	for key, want := range map[int]string{0: "b", 4: "a", 3: ""} {
		if got, ok := m.Get(key); got != want || ok != (want != "") {
			t.Errorf("%d is %q, %v, want %q", key, got, ok, want)
		}
	}
}

func TestMap_PutRemovesExpiredValues(t *testing.T) {
	t.Parallel()
	m := expiring.New[int, bool]() // a value states whether it has expired
	expired := func(v bool) bool { return v }
	for i := range 10 {
		m.Put(i, true, func(bool) bool { return false })
	}
	for n := 10; n > 1; n += 1 - expiring.RemovedPerPut {
		if m.Len() != n {
			t.Fatalf("%d values, want %d", m.Len(), n)
		}
		m.Put(100+n, true, expired)
	}
	m.Put(0, false, expired)
	for range 3 {
		m.Put(1, true, expired)
		m.Delete(1)
	}
	if _, ok := m.Get(0); !ok {
		t.Error("a value that has not expired is removed")
	}
}
