package expiring_test

import (
	"testing"
	"time"

	"example.com/parley/internal/expiring"
)

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
