package live

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"example.com/parley/internal/chat"
)

const (
	// lookInterval is the shortest time between two reads of what other processes remember. A busy
	// process thus pays for few of its batches.
	lookInterval = 5 * time.Second
	// MissedLife is how long it is remembered that a connection missed changes. Its client sends a
	// sync every 8 minutes.
	MissedLife = 10 * time.Minute
	// maxMissedRows bounds the rows that one batch stores. If a service fails, thousands of
	// connections miss changes, and the rows would cost more than the syncs of their clients.
	maxMissedRows = 500
	// tellInterval is the time after which a process that runs on reaches connections without
	// another batch.
	tellInterval = 2 * time.Second
)

// Missed is a room whose changes up to Head a connection may not have received.
type Missed struct {
	Connection Connection
	Room       chat.RoomID
	Head       int64
	After      time.Time // nothing is sent to the connection before; zero if a post did not hang
}

// MissedRows stores what connections have missed, so that any process can report it to them. Rows
// expire after MissedLife.
type MissedRows interface {
	// PutMissed stores rows, each in place of the connection's previous one for its room, unless
	// that has a later head.
	PutMissed(ctx context.Context, all []Missed, now time.Time) error
	// SomeMissed returns some of the rows. It may miss the changes of the last second.
	SomeMissed(ctx context.Context) ([]Missed, error)
	// DeleteMissed deletes the rows of connections and rooms, unless they have a later head.
	DeleteMissed(ctx context.Context, all []Missed) error
}

// missing is what this process remembers about a connection that missed changes.
type missing struct {
	connection Connection
	heads      map[chat.RoomID]int64
	rows       map[chat.RoomID]missedRow
	since      time.Time
	after      time.Time // from another process, as in Missed
}

// missedRow is the head in a stored row, and when this process stored it.
type missedRow struct {
	head int64
	at   time.Time // zero if another process did
}

// rowChanges are the changes of rows that follow from a batch.
type rowChanges struct{ put, remove []Missed }

// look learns what other processes remember, at most once in lookInterval.
func (d *Delivery) look(ctx context.Context, b *batch) {
	if d.o.Missed == nil {
		return
	}
	d.mu.Lock()
	ago := b.now.Sub(d.looked)
	isDue := ago >= lookInterval || ago < 0
	if isDue {
		d.looked = b.now
	}
	d.mu.Unlock()
	if !isDue {
		return
	}
	rows, err := d.o.Missed.SomeMissed(ctx)
	b.missedErr = err
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, row := range rows {
		if m := d.missingOf(row.Connection, b.now); m != nil {
			m.heads[row.Room] = max(m.heads[row.Room], row.Head)
			m.rows[row.Room] = missedRow{head: row.Head, at: m.rows[row.Room].at}
			m.after = row.After
		}
	}
}

// missingOf returns the memory of a connection. It is nil if too many connections are remembered.
// The caller holds the lock.
func (d *Delivery) missingOf(c Connection, now time.Time) *missing {
	m := d.missing[c.ID]
	if m == nil && len(d.missing) < maxRemembered {
		m = &missing{connection: c, heads: map[chat.RoomID]int64{}, rows: map[chat.RoomID]missedRow{}, since: now}
		d.missing[c.ID] = m
	}
	return m
}

// remember records what the connection of a dropped task misses, and returns the rows to store. The
// caller holds the lock.
func (d *Delivery) remember(t *task, now time.Time) (put []Missed) {
	heads := map[chat.RoomID]int64{}
	maps.Copy(heads, t.heads)
	for _, p := range t.pieces {
		if !p.served[t.connection.ID] {
			heads[p.room] = max(heads[p.room], p.last)
		}
	}
	for _, h := range t.counts {
		heads[h.Room] = max(heads[h.Room], h.Last)
	}
	if len(heads) == 0 {
		return nil
	}
	m := d.missingOf(t.connection, now)
	if m == nil {
		return nil
	}
	after, _ := d.rests.until(t.connection.ID)
	for room, head := range heads {
		m.heads[room] = max(m.heads[room], head)
		row, stored := m.rows[room]
		if !stored || head > row.head && (!t.skipped || now.Sub(row.at) >= lookInterval) {
			put = append(put, Missed{Connection: t.connection, Room: room, Head: head, After: after})
		}
	}
	return put
}

// settleTold forgets the heads that a connection has received, and returns its rows. The caller
// holds the lock.
func (d *Delivery) settleTold(t *task) (remove []Missed) {
	m := d.missing[t.connection.ID]
	if m == nil {
		return nil
	}
	for room, head := range t.told {
		if _, stored := m.rows[room]; stored {
			remove = append(remove, Missed{Connection: t.connection, Room: room, Head: head})
		}
		if m.heads[room] <= head {
			delete(m.heads, room)
			delete(m.rows, room)
		}
	}
	if len(m.heads) == 0 {
		delete(d.missing, t.connection.ID)
	}
	return remove
}

// keep keeps the pieces that were cut off, the oldest first, for the next batch.
func (d *Delivery) keep(b *batch) {
	for _, r := range b.rooms {
		if r.appended != nil && r.err == nil {
			for _, e := range r.appended.Entries {
				d.sent[r.id] = max(d.sent[r.id], e.Seq)
			}
		}
		for _, p := range r.pieces {
			if p.waiting > 0 || r.undecided {
				d.cut = append(d.cut, p)
			}
		}
	}
	if over := len(d.cut) - maxCutPieces; over > 0 {
		d.cut = slices.Delete(d.cut, 0, over)
	}
}

// forget bounds what the process remembers about connections.
func (d *Delivery) forget(now time.Time) {
	if len(d.counted) > maxRemembered {
		for id, at := range d.counted {
			if now.Sub(at) >= countsInterval {
				delete(d.counted, id)
			}
		}
	}
	if len(d.sent) > maxRemembered {
		clear(d.sent)
	}
}

// share stores and deletes rows. The rows are stored before the batch is done: if the process ends
// earlier, the batch is retried.
func (d *Delivery) share(ctx context.Context, c rowChanges, now time.Time) error {
	if d.o.Missed == nil || len(c.put)+len(c.remove) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, d.o.Times.Post)
	defer cancel()
	c.put = c.put[:min(len(c.put), maxMissedRows)]
	err := d.o.Missed.PutMissed(ctx, c.put, now)
	if err == nil {
		d.mu.Lock()
		for _, row := range c.put {
			if m := d.missing[row.Connection.ID]; m != nil {
				m.rows[row.Room] = missedRow{head: row.Head, at: now}
			}
		}
		d.mu.Unlock()
	}
	return errors.Join(err, d.o.Missed.DeleteMissed(ctx, c.remove))
}
