package follow

import (
	"context"
	"time"
)

const (
	// wakeEvery is how often the follower compares its clock with the time that it has waited.
	wakeEvery = 5 * time.Second
	// sleptTime is how much later than planned the follower runs after its machine has slept.
	sleptTime = 3 * time.Second
	// maxNamed is the most rooms that a sync may name. As many with their positions fit in the 4 KB
	// of every request.
	maxNamed = 20
)

// roomSyncAt returns when a sync of the rooms is due, or zero.
func (f *follower) roomSyncAt() time.Time {
	if l := &f.link; f.Quiet > 0 && l.conn != nil && l.helloed && len(l.conn.waiting) == 0 {
		return l.heardAt.Add(f.Quiet)
	}
	return time.Time{}
}

// syncRooms asks for the positions of the rooms, after a time without a frame.
func (f *follower) syncRooms(ctx context.Context) error {
	l := &f.link
	sync := request{Type: typeSync}
	for _, id := range f.order[:min(len(f.order), maxNamed)] {
		sync.Rooms = append(sync.Rooms, wantedRoom{ID: id, Since: f.rooms[id].since})
	}
	l.heardAt = f.Clock()
	_, err := f.send(ctx, l.conn, sync)
	return err
}

// woke handles that the machine has slept: whatever was under way may never end.
func (f *follower) woke(ctx context.Context) error {
	l := &f.link
	f.interrupt(f.Clock())
	if l.conn == nil {
		l.failures, l.dialAt = 0, f.Clock()
		return nil
	}
	_, err := f.send(ctx, l.conn, request{Type: typeSync})
	return err
}

// interrupt aborts requests that began before a time, and repeats them.
func (f *follower) interrupt(before time.Time) {
	for _, r := range f.rooms {
		if r.fetching && r.fetchBegun.Before(before) {
			r.abort()
		}
	}
}

// slept reports whether a pause from a time took much longer than planned, by the wall clock,
// which advances while the machine sleeps.
func slept(from, to time.Time, planned time.Duration) bool {
	return to.Round(0).Sub(from.Round(0))-planned > sleptTime
}
