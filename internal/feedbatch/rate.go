package feedbatch

import (
	"iter"
	"time"
)

// rateWindow is the time over which a room's rate is measured. The stream's clock counts whole
// seconds, so a shorter one would be too coarse.
const rateWindow = 5 * time.Second

// Count is how many messages had been created in a room at a time.
type Count struct {
	At       time.Time // zero if unknown
	Messages int64
}

// Rate is how fast messages are created in a room, as far as a process knows. It is zero if it does
// not.
type Rate struct {
	Mean float64 // messages a second in the last seconds
	Rise float64 // by how much the mean rises in a second; 0 if it falls
}

// Ahead returns the rate after some time if it goes on rising.
func (r Rate) Ahead(d time.Duration) float64 { return r.Mean + r.Rise*(d+rateWindow/2).Seconds() }

// RateOf returns the rate at the first of the counts, which are the newest first. It compares the
// messages of the last rateWindow with those of the one before.
func RateOf(counts iter.Seq[Count]) Rate {
	var windows [2]window
	n, first := 0, true
	var end Count
	for c := range counts {
		if first {
			end, first = c, false
			continue
		}
		if c.At.IsZero() {
			break
		}
		windows[n] = window{messages: end.Messages - c.Messages, over: max(rateWindow, end.At.Sub(c.At))}
		if windows[n].over > rateWindow {
			if end = c; n == 1 {
				break
			}
			n++
		}
	}
	r := Rate{Mean: windows[0].rate()}
	if n == 1 && windows[1].over > 0 {
		r.Rise = max(0, (r.Mean-windows[1].rate())/windows[0].over.Seconds())
	}
	return r
}

// window is the messages of some time.
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
