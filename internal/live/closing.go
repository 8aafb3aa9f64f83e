package live

import (
	"context"
	"time"
)

// CloseDelay is the time from the last frame of a connection to its deletion. API Gateway does not
// guarantee their order. A client that does not receive the reason dials again immediately, and
// each dial is billed. Clients close the connection themselves on receipt, which takes a round
// trip, so a second is ample.
const CloseDelay = time.Second

// Wait waits for a time, or until ctx ends.
func Wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// closeLater lets a later batch close a connection that was sent its last frame. This batch does
// not wait for it. The process may end first, or remember too many connections. The client then
// closes the connection, its next message does, or the gateway ends it as idle.
func (d *Delivery) closeLater(id ConnectionID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.closing) < maxRemembered {
		d.closing[id] = d.o.Clock().Add(CloseDelay)
	}
}

// closeDue closes the connections whose delay is over, each once. Until ctx ends, it closes as many
// as it can, and leaves the others for the next batch.
func (d *Delivery) closeDue(ctx context.Context) {
	due := d.due(d.o.Clock())
	d.each(postsAtOnce, len(due), func(i int) {
		if ctx.Err() != nil {
			return
		}
		_ = d.o.Poster.Close(ctx, due[i]) // most clients have closed it
		if ctx.Err() != nil {
			return // it may be open
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.closing, due[i])
	})
}

// due returns the connections whose delay is over. More than CloseDelay can remain only after the
// clock was set back.
func (d *Delivery) due(now time.Time) []ConnectionID {
	d.mu.Lock()
	defer d.mu.Unlock()
	var due []ConnectionID
	for id, at := range d.closing {
		if left := at.Sub(now); left <= 0 || left > CloseDelay {
			due = append(due, id)
		}
	}
	return due
}
