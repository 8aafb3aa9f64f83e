package chat

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"parley/internal/expiring"
)

// TestBuckets_RemovalChangesNoAnswer compares buckets that share a process, and so are removed,
// with buckets that each have a process of their own.
func TestBuckets_RemovalChangesNoAnswer(t *testing.T) {
	t.Parallel()
	const people, takes = 3000, 60_000
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	now := time.Unix(1_535_544_000, 0)
	clock := func() time.Time { return now }
	together, alone := newBuckets(10, 20, clock), map[UserID]*buckets{}
	waits, most := 0, 0
	for i := range takes {
		now = now.Add(time.Duration(random.IntN(int(time.Millisecond))))
		user := UserID(fmt.Sprint("rare-", random.IntN(people)))
		if random.IntN(3) > 0 {
			user = UserID(fmt.Sprint("busy-", random.IntN(10)))
		}
		if alone[user] == nil {
			alone[user] = newBuckets(10, 20, clock)
		}
		tokens := 1 + random.IntN(3)
		got, want := together.take(user, tokens), alone[user].take(user, tokens)
		if got != want {
			t.Fatalf("take %d, of %s: wait %v, alone %v", i, user, got, want)
		}
		if want > 0 {
			waits++
		}
		most = max(most, together.people.Len())
	}
	if waits == 0 || len(alone) <= most {
		t.Errorf("%d waits, %d people of whom %d were stored at once: the test has no effect", waits, len(alone), most)
	}
}

// TestBuckets_PutRemovesOnlyExpiredValues checks that a put removes a few values that have
// expired, and no other value.
func TestBuckets_PutRemovesOnlyExpiredValues(t *testing.T) {
	t.Parallel()
	const many = 50_000
	now := time.Unix(1_535_544_000, 0)
	b := newBuckets(10, 100, func() time.Time { return now })
	for i := range many {
		b.take(UserID(fmt.Sprint(i)), 1)
	}
	if n := b.people.Len(); n != many {
		t.Errorf("%d of %d people who have just sent are stored", n, many)
	}
	now = now.Add(time.Minute)
	for left := many; left > 1; left -= expiring.RemovedPerPut - 1 {
		before := b.people.Len()
		b.take(UserID(fmt.Sprint("later-", left)), 1)
		now = now.Add(time.Minute)
		if n := b.people.Len(); n < before+1-expiring.RemovedPerPut || n > max(before, expiring.RemovedPerPut) && n >= before {
			t.Fatalf("%d people became %d at once", before, n)
		}
	}
	if n := b.people.Len(); n > expiring.RemovedPerPut {
		t.Errorf("%d people are stored a minute after all but one have sent", n)
	}
}

// TestBuckets_CostAboveTheBurstIsPaidByWaiting checks that a request that costs more than a bucket
// holds is allowed, and that the next one waits longer.
func TestBuckets_CostAboveTheBurstIsPaidByWaiting(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	b := newBuckets(1, 10, func() time.Time { return now })
	for _, step := range []struct {
		after  time.Duration
		tokens int
		wait   time.Duration
	}{
		{0, 25, 0}, {0, 1, 16 * time.Second}, {15 * time.Second, 1, time.Second}, {time.Second, 1, 0}, {0, 1, time.Second},
		{time.Hour, 10, 0}, {0, 1, time.Second},
	} {
		now = now.Add(step.after)
		if wait := b.take("amsg", step.tokens); wait != step.wait {
			t.Errorf("%d tokens after %v: wait %v, want %v", step.tokens, step.after, wait, step.wait)
		}
	}
}

// TestRoomCache_KeepsARoomForItsTime checks that the number of other rooms does not matter.
// Otherwise the previous settings of a room would hold for longer or shorter while other rooms are
// busy.
func TestRoomCache_KeepsARoomForItsTime(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	c := newRoomCache(func() time.Time { return now })
	c.put("seattle", cachedRoom{room: Room{ID: "seattle"}, asOf: now})
	for i := range 20_000 {
		c.put(RoomID(fmt.Sprint(i)), cachedRoom{asOf: now})
	}
	now = now.Add(RoomCacheAge - 1)
	if _, ok := c.get("seattle"); !ok {
		t.Error("the room is removed too early")
	}
	now = now.Add(1)
	if _, ok := c.get("seattle"); ok {
		t.Error("the room is stored for too long")
	}
	c.put("tacoma", cachedRoom{asOf: now})
	if n := c.rooms.Len(); n != 20_002-expiring.RemovedPerPut {
		t.Errorf("%d rooms are stored, want %d", n, 20_002-expiring.RemovedPerPut)
	}
	c.delete("tacoma")
	if _, ok := c.get("tacoma"); ok {
		t.Error("the room is stored after a change")
	}
}
