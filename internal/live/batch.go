package live

import (
	"context"
	"errors"
	"slices"
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

// changed returns the people whose memberships may have changed.
func (d *Delivery) changed(r *roomBatch) []chat.UserID {
	users := slices.Clone(r.banned)
	for _, p := range r.pieces {
		users = append(users, p.changed...)
	}
	if r.appended != nil {
		users = append(users, membersChanged(*r.appended)...)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for of := range d.undecided {
		if of.Room == r.id {
			users = append(users, of.User)
		}
	}
	slices.Sort(users)
	return slices.Compact(users)
}

// listen reads the audience of a room, and encodes the room's changes if there is one. It leaves
// out people whom these changes have removed: the process that removed them may have ended before
// deleting their subscriptions. If the audience cannot be read, the changes are cut off.
func (d *Delivery) listen(ctx context.Context, r *roomBatch) {
	all, err := d.o.Rows.Subscriptions(ctx, r.id)
	unknown := d.ends.updateSubscriptions(ctx, d.o.Clock(), all)
	if r.deleted {
		r.err = err
		d.closeRoom(ctx, r, all) // connections whose end is unknown learn of it at their next sync
		return
	}
	all, endErr := d.sweepEnded(ctx, r, all)
	if unknown != nil {
		all, err = nil, unknown
	}
	r.err, r.undecided = errors.Join(err, endErr), err != nil
	var removed map[chat.UserID]bool
	if err == nil {
		removed = d.removed(ctx, r, all)
	}
	if r.appended != nil && (err != nil || len(all) > 0) {
		fresh, err := piecesOf(*r.appended, d.o.Clock())
		if err != nil {
			r.err = err
		}
		r.pieces = append(r.pieces, fresh...)
	}
	for _, s := range all {
		if s.Active && !removed[s.Connection.User] {
			r.audience = append(r.audience, s)
		}
	}
}

// sweepEnded deletes the subscriptions that a removal has ended, whose connections are notified. It
// returns the others.
func (d *Delivery) sweepEnded(ctx context.Context, r *roomBatch, all []Subscription) ([]Subscription, error) {
	var ended []Subscription
	for _, s := range all {
		if s.Ended {
			ended = append(ended, s)
			r.unsubscribed = append(r.unsubscribed, s.Connection)
		}
	}
	if len(ended) == 0 {
		return all, nil
	}
	_, err := d.o.Rows.Delete(ctx, ended)
	return withoutEnded(all), err
}

// closeRoom notifies all connections of a deleted room. It ends the subscriptions that have not
// ended, because the process that deleted the room may have ended before doing so. The others
// expire: nothing reads them again.
func (d *Delivery) closeRoom(ctx context.Context, r *roomBatch, all []Subscription) {
	r.pieces, r.undecided = nil, false
	if left := withoutEnded(all); len(left) > 0 {
		if _, err := d.o.Rows.Delete(ctx, left); err != nil {
			r.err = err
		}
	}
	for _, s := range all {
		if s.Ended || s.receives(d.o.Clock()) {
			r.unsubscribed = append(r.unsubscribed, s.Connection)
		}
	}
}

// removed returns the subscribers who may no longer read a room because of its changes, and
// deletes their subscriptions. It includes people whose access cannot be checked at present: they
// receive nothing until it can.
func (d *Delivery) removed(ctx context.Context, r *roomBatch, all []Subscription) map[chat.UserID]bool {
	removed := map[chat.UserID]bool{}
	for _, user := range d.changed(r) {
		of := chat.MemberOf{Room: r.id, User: user}
		var expelled []Subscription
		var err error
		if len(ofUser(all, user)) > 0 {
			var keeps bool
			expelled, keeps, err = expel(ctx, d.o.Rows, d.o.Rooms, of, d.o.Rows.Delete)
			removed[user] = !keeps
		}
		d.mu.Lock()
		if err != nil {
			r.err, r.undecided = err, true
			d.undecided[of] = true
		} else {
			delete(d.undecided, of)
		}
		d.mu.Unlock()
		for _, s := range expelled {
			if s.Active || s.Ended {
				r.unsubscribed = append(r.unsubscribed, s.Connection)
			}
		}
	}
	return removed
}

// membersChanged returns the people whose memberships the changes of a room have changed, each
// once.
func membersChanged(room feed.Appended) []chat.UserID {
	var users []chat.UserID
	for _, e := range room.Entries {
		if e.Type == feed.MemberChanged && !slices.Contains(users, e.User) {
			users = append(users, e.User)
		}
	}
	return users
}
