package stream_test

import (
	"context"
	"sync"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

// inbox is a consumer that records each batch with entries, and then calls the function then.
type inbox struct {
	then func(ctx context.Context, rooms []feed.Appended) error

	mu      sync.Mutex
	batches [][]feed.Appended
	reached map[chat.RoomID]int64 // by repeated batches
}

func (in *inbox) Consume(ctx context.Context, b feed.Batch) error {
	rooms := b.Rooms
	in.mu.Lock()
	for _, r := range b.Repeated {
		if in.reached == nil {
			in.reached = map[chat.RoomID]int64{}
		}
		in.reached[r.Room] = max(in.reached[r.Room], r.Seq)
	}
	in.mu.Unlock()
	if len(rooms) == 0 {
		return nil // a change of a membership reaches single people, too
	}
	in.mu.Lock()
	in.batches = append(in.batches, rooms)
	in.mu.Unlock()
	if in.then != nil {
		return in.then(ctx, rooms)
	}
	return nil
}

// received returns all entries of a room in the order of their delivery.
func (in *inbox) received(room chat.RoomID) []feed.AppendedEntry {
	in.mu.Lock()
	defer in.mu.Unlock()
	var all []feed.AppendedEntry
	for _, rooms := range in.batches {
		for _, r := range rooms {
			if r.Room == room {
				all = append(all, r.Entries...)
			}
		}
	}
	return all
}

// calls returns how many batches with entries it received.
func (in *inbox) calls() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.batches)
}

// playWith returns a play whose handlers deliver to an inbox.
func (s *scenario) playWith(t *testing.T, in *inbox) *play {
	t.Helper()
	p := s.play(t)
	p.consumers = []stream.Consumer{in}
	return p
}

// wantReceived checks that the inbox received the wanted number of entries of each room, and none
// twice. The feed must hold each entry under its number.
func (p *play) wantReceived(in *inbox, want map[chat.RoomID]int) {
	p.t.Helper()
	for room := range p.scenario.rooms() {
		all := p.feedOf(room)
		seen := map[int64]bool{}
		for _, e := range in.received(room) {
			if e.Seq < 1 || e.Seq > int64(len(all)) || all[e.Seq-1].Identity() != e.Identity() {
				p.t.Errorf("%s: entry %d is %+v, which the feed does not hold there", room, e.Seq, e.Change)
			}
			if seen[e.Seq] {
				p.t.Errorf("%s: entry %d was received twice", room, e.Seq)
			}
			seen[e.Seq] = true
		}
		if n, ok := want[room]; ok && n != len(seen) {
			p.t.Errorf("%s: %d entries were received, want %d of %d", room, len(seen), n, len(all))
		}
	}
}

// all returns the number of entries in each room's feed.
func (p *play) all() map[chat.RoomID]int {
	all := map[chat.RoomID]int{}
	for room := range p.scenario.rooms() {
		all[room] = len(p.feedOf(room))
	}
	return all
}
