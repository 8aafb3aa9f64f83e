package live

import (
	"context"
	"errors"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// maxDirect bounds the private rooms whose people a process remembers: some 5 MB.
const maxDirect = 10_000

// Details reads the settings of rooms.
type Details interface {
	// Room returns a NotFound error for a room that does not exist.
	Room(ctx context.Context, room chat.RoomID) (chat.Room, error)
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

// decide removes the events about others' messages that a person may not read now, or that come
// from somebody whom they have blocked. It reads a membership for each room, and the list of
// blocked people once: 1½ read units for a message.
func (d *Delivery) decide(ctx context.Context, p *personBatch) {
	about := func(e feed.PersonalChange) bool { return e.Type == feed.MessageAdded && e.Message.User != p.user }
	if d.o.Details == nil || !slices.ContainsFunc(p.events, about) {
		return
	}
	blocked, err := d.o.Blocks.Blocked(ctx, p.user)
	p.events = slices.DeleteFunc(p.events, func(e feed.PersonalChange) bool {
		if !about(e) {
			return false
		}
		if err != nil || blocked[e.Message.User] {
			return true
		}
		_, refused := d.o.Rooms.Authorize(ctx, p.user, e.Room, policy.Read)
		if kind := chat.KindOf(refused); refused != nil && kind != chat.NotFound && kind != chat.Forbidden {
			p.err = errors.Join(p.err, refused)
		}
		return refused != nil
	})
	p.err = errors.Join(p.err, err)
}
