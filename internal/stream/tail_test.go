package stream

import (
	"testing"
	"time"
)

func TestTail_RateOfTheLastSeconds(t *testing.T) {
	t.Parallel()
	start := time.Unix(1_535_544_000, 0)
	// segment returns a segment of changes that were created up to some second, with the messages
	// counted until then.
	segment := func(second int, count int64) summary {
		return summary{createdTo: start.Add(time.Duration(second) * time.Second), count: count}
	}
	for _, tt := range []struct {
		name     string
		segments []summary
		want     float64
	}{
		{"nothing is known of an empty tail", nil, 0},
		{"nor of one segment", []summary{segment(0, 500)}, 0},
		{"messages of one second are spread over the window", []summary{segment(0, 0), segment(0, 500), segment(1, 1000)}, 200},
		{"five seconds are enough", []summary{segment(0, 0), segment(3, 300), segment(5, 500)}, 100},
		{"older segments do not count", []summary{segment(0, 0), segment(10, 9000), segment(16, 9600), segment(20, 10000)}, 100},
		{"a quiet minute lowers the rate", []summary{segment(0, 0), segment(60, 60)}, 1},
		{"segments of unknown times end the window", []summary{segment(0, 0), {count: 100}, segment(1, 200)}, 0},
	} {
		if got := (&tail{segments: tt.segments}).rate().Mean; got != tt.want {
			t.Errorf("%s: %v messages a second, want %v", tt.name, got, tt.want)
		}
	}
}
