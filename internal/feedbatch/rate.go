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

// Rate returns the number of messages a second that were created in the last rateWindow before the
// first of the counts, which are the newest first. It is 0 if that is unknown.
func Rate(counts iter.Seq[Count]) float64 {
	var last *Count
	messages, over := int64(0), rateWindow
	for c := range counts {
		if last == nil {
			last = &c
			continue
		}
		if c.At.IsZero() {
			break
		}
		messages, over = last.Messages-c.Messages, max(rateWindow, last.At.Sub(c.At))
		if over > rateWindow {
			break
		}
	}
	return float64(messages) / over.Seconds()
}
