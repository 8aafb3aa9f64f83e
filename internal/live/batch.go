package live

import (
	"context"
	"errors"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// batch is one call of Consume.
type batch struct {
	now    time.Time
	rooms  []*roomBatch
	people []*personBatch
	pieces int // in all rooms
	late   int // connections that changes were too late for

	missedErr error // of reading what other processes remember
}

// roomBatch is a batch's part for one room.
type roomBatch struct {
	id       chat.RoomID
	pieces   []*piece // those cut off before come first
	appended *feed.Appended
	err      error
	// undecided means that the audience may lack somebody who belongs to it.
	undecided bool
	deleted   bool
	banned    []chat.UserID

	audience     []Subscription
	unsubscribed []Connection // connections of removed people
}

// personBatch is a batch's part for one person.
type personBatch struct {
	user   chat.UserID
	events []feed.PersonalChange
	checks []chat.RoomID // the rooms that the person may have lost
	err    error

	connections []Connection
	lost        []chat.RoomID // the rooms that the person may no longer read
}

// Details reads the settings of rooms.
type Details interface {
	// Room returns a NotFound error for a room that does not exist.
	Room(ctx context.Context, room chat.RoomID) (chat.Room, error)
}

// newBatch returns a batch with the changes that were cut off, followed by the new ones.
func (d *Delivery) newBatch(given feed.Batch) *batch {
	b := &batch{now: d.o.Clock()}
	d.mu.Lock()
	cut := d.cut
	d.cut = nil
	d.mu.Unlock()
	for _, p := range cut {
		switch age := b.now.Sub(p.began); {
		case age > MissedLife:
			continue
		case age > maxCutAge && p.json != nil:
			b.late += p.waiting
			p.json = nil
		}
		p.waiting = 0
		r := b.room(p.room)
		r.pieces = append(r.pieces, p)
	}
	for i := range given.Rooms {
		b.room(given.Rooms[i].Room).appended = &given.Rooms[i]
	}
	for _, h := range given.Repeated {
		if !d.hasSent(h) {
			r := b.room(h.Room)
			r.pieces = append(
				r.pieces, &piece{room: h.Room, last: h.Seq, began: b.now, served: map[ConnectionID]bool{}},
			)
		}
	}
	for _, id := range given.Deleted {
		b.room(id).deleted = true
	}
	for _, of := range given.Banned {
		// Only subscribers are notified: the room may be hidden from others.
		r := b.room(of.Room)
		r.banned = append(r.banned, of.User)
	}
	b.addPersonal(given.Personal)
	return b
}

// hasSent reports whether this process has sent the changes of a room up to a number. Then a batch
// is repeated only for the sake of other rooms.
func (d *Delivery) hasSent(h feed.Reached) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sent[h.Room] >= h.Seq
}

func (b *batch) room(id chat.RoomID) *roomBatch {
	for _, r := range b.rooms {
		if r.id == id {
			return r
		}
	}
	r := &roomBatch{id: id}
	b.rooms = append(b.rooms, r)
	return r
}

// addPersonal adds personal changes to a batch.
func (b *batch) addPersonal(changes []feed.PersonalChange) {
	for _, c := range changes {
		p := b.person(c.User)
		p.events = append(p.events, c)
		if c.Type == feed.RoomRemoved {
			p.checks = append(p.checks, c.Room)
		}
	}
}

func (b *batch) person(user chat.UserID) *personBatch {
	for _, p := range b.people {
		if p.user == user {
			return p
		}
	}
	p := &personBatch{user: user}
	b.people = append(b.people, p)
	return p
}

// maxDirect bounds the private rooms whose people a process remembers: some 5 MB.
const maxDirect = 10_000

// addDirect adds an event about the newest message of each direct room to the parts of the room's
// people.
func (d *Delivery) addDirect(ctx context.Context, b *batch) {
	ctx, cancel := context.WithTimeout(ctx, d.o.Times.Read)
	defer cancel()
	var rooms []*roomBatch
	for _, r := range b.rooms {
		if d.o.Details != nil && r.id.Private() && r.newest() != nil {
			rooms = append(rooms, r)
		}
	}
	people := make([][]chat.UserID, len(rooms))
	d.each(readsAtOnce, len(rooms), func(i int) {
		var err error
		people[i], err = d.directPeople(ctx, rooms[i].id)
		rooms[i].err = errors.Join(rooms[i].err, err)
	})
	for i, r := range rooms {
		e := r.newest()
		for _, user := range people[i] {
			p := b.person(user)
			p.events = append(
				p.events,
				feed.PersonalChange{Type: feed.MessageAdded, User: user, Room: r.id, Message: e.Message, Seq: e.Seq},
			)
		}
	}
}

// newest returns the entry of the newest message that was created in the batch, or nil.
func (r *roomBatch) newest() *feed.AppendedEntry {
	if r.appended == nil {
		return nil
	}
	for i := len(r.appended.Entries) - 1; i >= 0; i-- {
		if e := &r.appended.Entries[i]; e.Type == feed.MessageCreated || e.Type == feed.ReplyCreated {
			return e
		}
	}
	return nil
}

// directPeople returns the people of a direct room, and nil for any other private room. Neither
// changes, so it reads a room once: 1 read unit.
func (d *Delivery) directPeople(ctx context.Context, id chat.RoomID) ([]chat.UserID, error) {
	d.mu.Lock()
	people, known := d.direct[id]
	d.mu.Unlock()
	if known {
		return people, nil
	}
	room, err := d.o.Details.Room(ctx, id)
	switch {
	case chat.KindOf(err) == chat.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.direct) >= maxDirect {
		clear(d.direct)
	}
	d.direct[id] = room.Direct
	return room.Direct, nil
}
