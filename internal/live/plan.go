package live

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// task is a batch's part for one connection.
type task struct {
	connection Connection
	rooms      []*roomBatch // in which the connection has a subscription
	pieces     []*piece
	late       []*piece // whose last changes are in heads
	heads      map[chat.RoomID]int64
	told       map[chat.RoomID]int64 // what was remembered of the connection, among heads
	counts     []feed.Head
	notices    [][]byte // frames only for this connection
	expired    bool     // the connection is ended
	again      bool     // some of it was cut off before

	frames  []frame
	skipped bool // the connection rests
	refused bool // the service refused a frame, and the connection rests now
	sent    int  // frames
	outcome outcome
	err     error // an unexpected error of a post
}

// outcome is the result of a task.
type outcome int

const (
	cutOff outcome = iota // left for the next batch
	done
	gone
	dropped
	hung    // a post did not end in time; judge decides
	refused // the service refused a frame; judge decides
)

// plan returns the tasks of a batch in the order in which they start.
func (d *Delivery) plan(b *batch) []*task {
	byID := map[ConnectionID]*task{}
	var tasks []*task
	of := func(c Connection) *task {
		t := byID[c.ID]
		if t == nil {
			t = &task{connection: c}
			byID[c.ID] = t
			tasks = append(tasks, t)
		}
		return t
	}
	for _, r := range b.rooms {
		for _, p := range r.pieces {
			p.index = b.pieces
			b.pieces++
		}
		for _, s := range r.audience {
			of(s.Connection).add(r, s, b.now)
		}
		for _, c := range r.unsubscribed {
			t := of(c)
			t.notices = append(t.notices, notice("unsubscribed", "room", string(r.id)))
		}
	}
	for _, p := range b.people {
		notices := p.notices()
		for _, c := range p.connections {
			t := of(c)
			for _, n := range notices {
				if !t.hears(n.unless) &&
					!slices.ContainsFunc(t.notices, func(other []byte) bool { return bytes.Equal(other, n.data) }) {
					t.notices = append(t.notices, n.data)
				}
			}
		}
	}
	d.tellMissed(b.now, of)
	d.encode(b, tasks)
	tasks = slices.DeleteFunc(tasks, func(t *task) bool { return len(t.frames) == 0 })
	slices.SortStableFunc(tasks, func(a, b *task) int { return cmp.Compare(d.rank(a), d.rank(b)) })
	return tasks
}

// hears reports whether the connection has a subscription to a room.
func (t *task) hears(room chat.RoomID) bool {
	return slices.ContainsFunc(t.rooms, func(r *roomBatch) bool { return r.id == room })
}

// add adds a room's part for a subscription.
func (t *task) add(r *roomBatch, s Subscription, now time.Time) {
	t.rooms = append(t.rooms, r)
	switch {
	case !s.receives(now):
		t.expired = true
		return
	case s.Mode == Counts && r.appended != nil:
		t.counts = append(t.counts, r.appended.Head)
	}
	var late []*piece
	before := len(t.pieces)
	for _, p := range r.pieces {
		switch {
		case p.served[s.Connection.ID]:
			continue
		case p.json == nil:
			late = append(late, p)
		case s.Mode == Full:
			t.pieces = append(t.pieces, p)
		default:
			continue
		}
		t.again = t.again || p.began.Before(now)
	}
	t.late = append(t.late, late...)
	if len(t.pieces) > before {
		return // the numbers of new changes show that late ones are missing
	}
	for _, p := range late {
		t.miss(p.room, p.last)
	}
}

// tellMissed adds to the tasks what their connections have missed earlier. It forgets connections
// that have ended, or whose clients have sent a sync since.
func (d *Delivery) tellMissed(now time.Time, taskOf func(Connection) *task) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(d.missing)) {
		m := d.missing[id]
		switch {
		case !now.Before(m.connection.Until) || now.Sub(m.since) > MissedLife:
			delete(d.missing, id)
			continue
		case d.rests.Resting(id) || now.Before(m.after):
			continue
		}
		t := taskOf(m.connection)
		t.told = maps.Clone(m.heads)
		for room, head := range m.heads {
			t.miss(room, head)
		}
	}
}

// miss adds the head of a room to the task's frame of heads.
func (t *task) miss(room chat.RoomID, head int64) {
	if t.heads == nil {
		t.heads = map[chat.RoomID]int64{}
	}
	t.heads[room] = max(t.heads[room], head)
}

// encode makes the frames of tasks. Connections with the same changes share them.
func (d *Delivery) encode(b *batch, tasks []*task) {
	shared := map[string][]frame{}
	for _, t := range tasks {
		if t.expired {
			t.frames = []frame{{data: notice("closing", "reason", "expired")}}
			continue
		}
		var key []byte
		for _, p := range t.pieces {
			key = binary.AppendVarint(key, int64(p.index))
		}
		if shared[string(key)] == nil {
			shared[string(key)] = framesOf(t.pieces)
		}
		t.frames = slices.Clone(shared[string(key)])
		if len(t.heads) > 0 {
			t.frames = append(t.frames, frame{headsFrame(t.heads), t.late})
		}
		if counts := d.countsFrame(t, b.now); counts != nil {
			t.frames = append(t.frames, frame{data: counts})
		}
		for _, n := range t.notices {
			t.frames = append(t.frames, frame{data: n})
		}
	}
}

// countsFrame returns the frame with the counts of a task, or nil if there are no counts or the
// connection received some just now.
func (d *Delivery) countsFrame(t *task, now time.Time) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(t.counts) == 0 || now.Sub(d.counted[t.connection.ID]) < countsInterval {
		return nil
	}
	rooms := make([][]byte, 0, len(t.counts))
	for _, h := range t.counts {
		text, err := encode(roomOfCounts{ID: h.Room, Seq: h.Last, Count: h.Count})
		if err != nil {
			return nil // neither ids nor numbers fail
		}
		rooms = append(rooms, text)
	}
	d.counted[t.connection.ID] = now
	return roomsFrame("counts", rooms)
}

// rank orders tasks: connections that were cut off before come first, and connections that accepted
// nothing come last.
func (d *Delivery) rank(t *task) int {
	switch _, rested := d.rests.until(t.connection.ID); {
	case rested:
		return 2
	case t.again:
		return 0
	}
	return 1
}
