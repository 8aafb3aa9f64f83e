package tokenbucket

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/parley/internal/expiring"

	"example.com/parley/internal/test/nightly"
)

// TestBuckets_RemovalChangesNoAnswer compares buckets that share a process, and so are removed,
// with buckets that each have a process of their own.
func TestBuckets_RemovalChangesNoAnswer(t *testing.T) {
	t.Parallel()
	const people, takes = 3000, 60_000
	random := rand.New(rand.NewPCG(nightly.Seed(t), 1))
	now := time.Unix(1_535_544_000, 0)
	clock := func() time.Time { return now }
	together, alone := New[string](10, 20, clock), map[string]*Buckets[string]{}
	waits, most := 0, 0
	for i := range takes {
		now = now.Add(time.Duration(random.IntN(int(time.Millisecond))))
		user := fmt.Sprint("rare-", random.IntN(people))
		if random.IntN(3) > 0 {
			user = fmt.Sprint("busy-", random.IntN(10))
		}
		if alone[user] == nil {
			alone[user] = New[string](10, 20, clock)
		}
		tokens := 1 + random.IntN(3)
		got, want := together.Take(user, tokens), alone[user].Take(user, tokens)
		if got != want {
			t.Fatalf("take %d, of %s: wait %v, alone %v", i, user, got, want)
		}
		if want > 0 {
			waits++
		}
		most = max(most, together.buckets.Len())
	}
	if waits == 0 || len(alone) <= most {
		t.Errorf("%d waits, %d people of whom at most %d were stored: the test has no effect", waits, len(alone), most)
	}
}

// TestBuckets_PutRemovesOnlyExpiredValues checks that a put removes a few values that have
// expired, and no other value.
func TestBuckets_PutRemovesOnlyExpiredValues(t *testing.T) {
	t.Parallel()
	const many = 50_000
	now := time.Unix(1_535_544_000, 0)
	b := New[string](10, 100, func() time.Time { return now })
	for i := range many {
		b.Take(fmt.Sprint(i), 1)
	}
	if n := b.buckets.Len(); n != many {
		t.Errorf("%d of %d people who have just sent are stored", n, many)
	}
	now = now.Add(time.Minute)
	for left := many; left > 1; left -= expiring.RemovedPerPut - 1 {
		before := b.buckets.Len()
		b.Take(fmt.Sprint("later-", left), 1)
		now = now.Add(time.Minute)
		if n := b.buckets.Len(); n < before+1-expiring.RemovedPerPut || n > max(before, expiring.RemovedPerPut) && n >= before {
			t.Fatalf("%d people became %d immediately", before, n)
		}
	}
	if n := b.buckets.Len(); n > expiring.RemovedPerPut {
		t.Errorf("%d people are stored a minute after all but one have sent", n)
	}
}

// TestBuckets_CostAboveTheBurstIsPaidByWaiting checks that a request that costs more than a bucket
// holds is allowed, and that the next one waits longer.
func TestBuckets_CostAboveTheBurstIsPaidByWaiting(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_535_544_000, 0)
	b := New[string](1, 10, func() time.Time { return now })
	for _, step := range []struct {
		after  time.Duration
		tokens int
		wait   time.Duration
	}{
		{0, 25, 0}, {0, 1, 16 * time.Second}, {15 * time.Second, 1, time.Second}, {time.Second, 1, 0}, {0, 1, time.Second},
		{time.Hour, 10, 0}, {0, 1, time.Second},
	} {
		now = now.Add(step.after)
		if wait := b.Take("amsg", step.tokens); wait != step.wait {
			t.Errorf("%d tokens after %v: wait %v, want %v", step.tokens, step.after, wait, step.wait)
		}
	}
}
