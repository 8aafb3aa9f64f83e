package feed_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/feed"
)

func TestRateOf_ComparesTwoWindows(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_535_544_000, 0)
	at := func(second int) time.Time { return start.Add(time.Duration(second) * time.Second) }
	// each returns counts at each second, by the number of messages up to it.
	each := func(seconds int, messages func(second int) int) (counts []feed.Count) {
		for n := range seconds + 1 {
			counts = append(counts, feed.Count{At: at(n), Messages: int64(messages(n))})
		}
		slices.Reverse(counts)
		return counts
	}
	for _, tt := range []struct {
		name   string
		counts []feed.Count
		want   feed.Rate
	}{
		{"nothing is known", nil, feed.Rate{}},
		{"a steady rate does not rise", each(30, func(n int) int { return 600 * n }), feed.Rate{At: at(30), Mean: 600}},
		{"a ramp of 50 a second each second, less what is chance", each(30, func(n int) int { return 25 * n * n }), feed.Rate{At: at(30), Mean: 1350, Rise: 45.5}},
		{"a rise that may be chance", each(30, func(n int) int { return 100*n + 10*max(0, n-24) }), feed.Rate{At: at(30), Mean: 110}},
		{"a falling rate does not rise", each(30, func(n int) int { return 600*n - 10*n*n }), feed.Rate{At: at(30), Mean: 60}},
		{"a single window has no rise", each(5, func(n int) int { return 30 * n * n }), feed.Rate{At: at(5), Mean: 150}},
	} {
		got := feed.RateOf(slices.Values(tt.counts))
		if math.Abs(got.Rise-tt.want.Rise) > 0.1 || got.Mean != tt.want.Mean || !got.At.Equal(tt.want.At) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if got := (feed.Rate{Mean: 100, Rise: 10}).Ahead(10 * time.Second); got != 225 {
		t.Errorf("in ten seconds it is %v", got)
	}
}

// TestRateOf_ASteadyRoomDoesNotRise gives rooms as many messages a second as people write
// independently of one another.
func TestRateOf_ASteadyRoomDoesNotRise(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	for _, mean := range []float64{100, 300, 1000, 10_000} {
		const seconds = 600
		var counts []feed.Count
		n, rises, most := 0.0, 0, 0.0
		for second := range seconds {
			n += max(0, mean+math.Sqrt(mean)*random.NormFloat64())
			counts = append([]feed.Count{{At: time.Unix(int64(second), 0), Messages: int64(n)}}, counts...)
			r := feed.RateOf(slices.Values(counts))
			if second > 20 && r.Rise > 0 {
				rises, most = rises+1, max(most, r.Rise)
			}
		}
		if rises > seconds/100 {
			t.Errorf("%v a second seem to rise %d times in %d, by up to %.1f", mean, rises, seconds, most)
		}
	}
}
