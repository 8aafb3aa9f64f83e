package feed

import (
	"iter"
	"math"
	"time"
)

const (
	// rateWindow is the time over which a room's rate is measured. The stream's clock counts whole
	// seconds, so a shorter window would be too coarse.
	rateWindow = 5 * time.Second
	// riseWindow is the preceding time with which rateWindow is compared. A longer one measures a
	// rise better, but notices it later.
	riseWindow = 15 * time.Second
	// riseDeviations is the minimum difference between the two windows' rates, in standard
	// deviations. One in a thousand differs more by chance.
	riseDeviations = 3
)

// Count is how many messages had been created in a room at a time.
type Count struct {
	At       time.Time // zero if unknown
	Messages int64
}

// Rate is how fast messages are created in a room, as far as a process knows; zero if unknown.
type Rate struct {
	At   time.Time // when the room had the rate, which is in the past if its feed is behind
	Mean float64   // messages a second in the last seconds
	Rise float64   // the increase of Mean per second; 0 if it falls, or may rise by chance
}

// Ahead returns the rate after some time if it keeps rising.
func (r Rate) Ahead(d time.Duration) float64 { return r.Mean + r.Rise*(d+rateWindow/2).Seconds() }

// RateOf returns the rate at the first of the counts, which are ordered newest first. It compares
// the messages of the last rateWindow with the messages of the riseWindow before it.
func RateOf(counts iter.Seq[Count]) Rate {
	var r Rate
	var end Count
	var last, before window
	now, first := &last, true
	for c := range counts {
		if first {
			r.At, end, first = c.At, c, false
			continue
		}
		if c.At.IsZero() {
			break
		}
		*now = window{messages: end.Messages - c.Messages, over: max(rateWindow, end.At.Sub(c.At))}
		if now == &last && last.over > rateWindow {
			now, end = &before, c
		} else if before.over > riseWindow {
			break
		}
	}
	r.Mean, r.Rise = last.rate(), last.rise(before)
	return r
}

// window counts the messages of an interval.
type window struct {
	messages int64
	over     time.Duration
}

func (w window) rate() float64 {
	if w.over == 0 {
		return 0
	}
	return float64(w.messages) / w.over.Seconds()
}

// rise returns the increase of the rate per second since the previous window, less what may be
// chance.
func (w window) rise(before window) float64 {
	if before.over == 0 {
		return 0
	}
	chance := riseDeviations * math.Hypot(w.deviation(), before.deviation())
	between := (w.over + before.over) / 2
	return max(0, (w.rate()-before.rate()-chance)/between.Seconds())
}

// deviation returns the standard deviation of the rate, if people write independently.
func (w window) deviation() float64 { return math.Sqrt(float64(w.messages)) / w.over.Seconds() }
