package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// read reads the audiences of a batch.
func (d *Delivery) read(ctx context.Context, b *batch) {
	ctx, cancel := context.WithTimeout(ctx, d.o.Times.Read)
	defer cancel()
	rooms, people := len(b.rooms), len(b.people)
	d.each(readsAtOnce, rooms+people+1, func(i int) {
		switch {
		case i < rooms:
			d.listen(ctx, b.rooms[i])
		case i < rooms+people:
			d.find(ctx, b.people[i-rooms], b.now)
		default:
			d.look(ctx, b)
		}
	})
}

// each calls f for 0 to n-1, some of them concurrently.
func (d *Delivery) each(atOnce, n int, f func(int)) { each(d.o.Sequential, atOnce, n, f) }

// each calls f for 0 to n-1, at most atOnce of them concurrently, or one after another in the
// caller's goroutine.
func each(sequential bool, atOnce, n int, f func(int)) {
	if sequential {
		for i := range n {
			f(i)
		}
		return
	}
	slots := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	running.Wait()
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
		fresh, err := piecesOf(*r.appended, membersChanged(*r.appended), d.o.Clock())
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

// ofUser returns the subscriptions of a person.
func ofUser(all []Subscription, user chat.UserID) (theirs []Subscription) {
	for _, s := range all {
		if s.Connection.User == user {
			theirs = append(theirs, s)
		}
	}
	return theirs
}

// find reads the connections of a person, and which rooms they have lost. Leaving a public room
// takes nothing from a connection that is subscribed to it.
func (d *Delivery) find(ctx context.Context, p *personBatch, now time.Time) {
	all, err := d.o.Connections.Connections(ctx, p.user)
	p.err = err
	for _, o := range all {
		if now.Before(o.Until) {
			p.connections = append(p.connections, o.Connection)
		}
	}
	if len(p.connections) == 0 {
		return
	}
	d.decide(ctx, p)
	slices.Sort(p.checks)
	for _, room := range slices.Compact(p.checks) {
		_, err := d.o.Rooms.Authorize(ctx, p.user, room, policy.Read)
		if kind := chat.KindOf(err); kind == chat.NotFound || kind == chat.Forbidden {
			p.lost = append(p.lost, room)
		}
	}
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
