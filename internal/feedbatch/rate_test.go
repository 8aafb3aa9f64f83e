package feedbatch_test

import (
	"slices"
	"testing"
	"time"

	"parley/internal/feedbatch"
)

func TestRateOf_ComparesTwoWindows(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_535_544_000, 0)
	// each returns counts at each second, by the number of messages up to it.
	each := func(seconds int, messages func(second int) int) (counts []feedbatch.Count) {
		for n := range seconds + 1 {
			counts = append(counts, feedbatch.Count{At: start.Add(time.Duration(n) * time.Second), Messages: int64(messages(n))})
		}
		slices.Reverse(counts)
		return counts
	}
	for _, tt := range []struct {
		name   string
		counts []feedbatch.Count
		want   feedbatch.Rate
	}{
		{"nothing is known", nil, feedbatch.Rate{}},
		{"a steady rate does not rise", each(30, func(n int) int { return 600 * n }), feedbatch.Rate{Mean: 600}},
		{"a ramp of 60 a second each second", each(30, func(n int) int { return 30 * n * n }), feedbatch.Rate{Mean: 1620, Rise: 60}},
		{"a falling rate does not rise", each(30, func(n int) int { return 600*n - 10*n*n }), feedbatch.Rate{Mean: 60}},
		{"one window alone has no rise", each(5, func(n int) int { return 30 * n * n }), feedbatch.Rate{Mean: 150}},
	} {
		if got := feedbatch.RateOf(slices.Values(tt.counts)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
	if got := (feedbatch.Rate{Mean: 100, Rise: 10}).Ahead(10 * time.Second); got != 225 {
		t.Errorf("in ten seconds it is %v", got)
	}
}
