package expiring_test

import (
	"testing"
	"time"

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

// TestCache_KeepsAValueForItsAge checks that the number of other values does not matter. Otherwise
// the previous settings of a room would last longer or shorter while other rooms are busy.
func TestCache_KeepsAValueForItsAge(t *testing.T) {
	t.Parallel()
	const age = 5 * time.Second
	now := time.Unix(1_535_544_000, 0)
	c := expiring.NewCache[int, string](age, func() time.Time { return now })
	c.Put(-1, "seattle", now)
	for i := range 20_000 {
		c.Put(i, "other", now)
	}
	now = now.Add(age - 1)
	if value, ok := c.Get(-1); !ok || value != "seattle" {
		t.Error("the value is removed too early")
	}
	now = now.Add(1)
	if _, ok := c.Get(-1); ok {
		t.Error("the value is stored for too long")
	}
	c.Put(-2, "tacoma", now)
	if n := c.Len(); n != 20_002-expiring.RemovedPerPut {
		t.Errorf("%d values are stored, want %d", n, 20_002-expiring.RemovedPerPut)
	}
	c.Delete(-2)
	if _, ok := c.Get(-2); ok {
		t.Error("the value is stored after a change")
	}
	c.Put(-3, "late", now.Add(-age))
	if _, ok := c.Get(-3); ok {
		t.Error("the age of a value does not begin before it was read")
	}
	c.Trim(5)
	if n := c.Len(); n != 5 {
		t.Errorf("%d values are left, want 5", n)
	}
}

// TestCache_DropsAValueThatWasReadBeforeItsDeletion reads a value, changes it, and only then
// stores the value that was read.
func TestCache_DropsAValueThatWasReadBeforeItsDeletion(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	c := expiring.NewCache[string, int](time.Minute, func() time.Time { return now })
	asOf := now
	now = now.Add(time.Millisecond)
	c.Delete("seattle")
	c.Put("seattle", 1, asOf)
	if n, ok := c.Get("seattle"); ok {
		t.Errorf("%d is stored, which was read before the change", n)
	}
	now = now.Add(time.Millisecond)
	c.Put("seattle", 2, now)
	if n, ok := c.Get("seattle"); !ok || n != 2 {
		t.Errorf("%d, %t, want what was read after the change", n, ok)
	}
}

// TestCache_ClockStepKeepsNothingLonger moves the clock forward and back. A value is kept for at
// most twice its age, and new values are stored immediately, even for a key that was deleted
// before.
func TestCache_ClockStepKeepsNothingLonger(t *testing.T) {
	t.Parallel()
	const age = 5 * time.Second
	for _, step := range []time.Duration{-time.Second, -age, -time.Hour, -24 * time.Hour, time.Second, time.Hour, 24 * time.Hour} {
		now := time.Unix(1_535_544_000, 0)
		c := expiring.NewCache[string, int](age, func() time.Time { return now })
		c.Put("kept", 1, now)
		c.Delete("deleted")
		now = now.Add(step)
		passed := time.Duration(0)
		for ; passed < 3*age; passed += time.Second {
			if _, ok := c.Get("kept"); !ok {
				break
			}
			now = now.Add(time.Second)
		}
		if passed > 2*age {
			t.Errorf("after a step of %v, a value is kept for %v", step, passed)
		}
		now = now.Add(2 * age)
		for _, key := range []string{"kept", "deleted"} {
			c.Put(key, 2, now)
			if n, ok := c.Get(key); !ok || n != 2 {
				t.Errorf("after a step of %v, no new value of %s is stored", step, key)
			}
		}
	}
}
