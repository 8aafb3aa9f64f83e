package follow

import (
	"context"
	"net/http"
	"slices"
	"time"
)

// settleTime collects rooms that change together, because a connection may send two requests a
// second.
const settleTime = 2 * time.Second

// naming is a request to subscribe to rooms, or to unsubscribe from them.
type naming struct {
	kind  string
	rooms []string
}

// orderBy puts the rooms of heads first, in their order.
func (f *follower) orderBy(heads []Head) {
	order, placed := make([]string, 0, len(f.order)), map[string]bool{}
	for _, h := range heads {
		if f.rooms[h.Room] != nil && !placed[h.Room] {
			placed[h.Room] = true
			order = append(order, h.Room)
		}
	}
	for _, id := range f.order {
		if !placed[id] {
			order = append(order, id)
		}
	}
	f.order = order
	f.choose()
}

// front puts a room that has changed first. It then takes the place of the room that has been quiet
// for the longest time.
func (f *follower) front(r *room) {
	i := slices.Index(f.order, r.id)
	copy(f.order[1:], f.order[:i])
	f.order[0] = r.id
	if !r.chosen {
		f.choose()
		f.settle()
	}
}

// settle delays changes of subscriptions, unless a delay has begun.
func (f *follower) settle() {
	if now := f.Clock(); !now.Before(f.settledAt) {
		f.settledAt = now.Add(settleTime)
	}
}

// choose chooses the first rooms for the connection.
func (f *follower) choose() {
	for i, id := range f.order {
		f.rooms[id].chosen = i < maxRooms
	}
}

// firstRooms returns the rooms to which a connection subscribes.
func (f *follower) firstRooms() []string { return f.order[:min(len(f.order), maxRooms)] }

// subscribable reports whether subscriptions can change now.
func (f *follower) subscribable() bool {
	l := &f.link
	return l.conn != nil && l.helloed && l.next == nil
}

// subscribe adapts the subscriptions of the connection to the chosen rooms. A room takes the place
// of another one only after the server has confirmed that it is free, because a server may process
// two requests in another order.
func (f *follower) subscribe(ctx context.Context) error {
	c, now := f.link.conn, f.Clock()
	if !f.subscribable() || now.Before(f.settledAt) {
		return nil
	}
	for _, id := range f.order[len(f.firstRooms()):] {
		if r := f.rooms[id]; r.live {
			r.live = false
			f.pollLater(r)
			c.surplus = append(c.surplus, id)
		}
	}
	if len(c.surplus) > 0 && !now.Before(c.leaveAt) {
		ids := c.surplus
		c.surplus = nil
		if err := f.name(ctx, c, typeUnsubscribe, ids); err != nil {
			return err
		}
	}
	var ids []string
	for _, id := range f.firstRooms() {
		if r := f.rooms[id]; !r.live && !now.Before(r.askAt) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 || f.link.conn != c {
		return nil
	}
	ids = ids[:min(len(ids), max(0, f.free(c)))]
	for _, id := range ids {
		f.rooms[id].askAt = now.Add(askAgain)
	}
	return f.name(ctx, c, typeSubscribe, ids)
}

// subscribeAt returns the time of the next change of subscriptions, or zero.
func (f *follower) subscribeAt() (next time.Time) {
	if !f.subscribable() {
		return next
	}
	if f.Clock().Before(f.settledAt) {
		return f.settledAt
	}
	c := f.link.conn
	if len(c.surplus) > 0 {
		next = c.leaveAt
	}
	var askAt time.Time
	for _, id := range f.firstRooms() {
		if r := f.rooms[id]; !r.live && !r.askAt.IsZero() && (askAt.IsZero() || r.askAt.Before(askAt)) {
			askAt = r.askAt
		}
	}
	// Without a free place, the server's answer comes first.
	if !askAt.IsZero() && (next.IsZero() || askAt.Before(next)) && f.free(c) > 0 {
		next = askAt
	}
	return next
}

// free returns how many rooms a connection may add.
func (f *follower) free(c *connection) int {
	n := maxRooms - len(c.surplus)
	for _, r := range f.rooms {
		if r.live {
			n--
		}
	}
	for _, named := range c.named {
		n -= len(named.rooms)
	}
	return n
}

// name sends requests that name rooms.
func (f *follower) name(ctx context.Context, c *connection, kind string, ids []string) error {
	for ids := range slices.Chunk(ids, maxNamed) {
		if f.link.conn != c {
			return nil // it has failed
		}
		r := request{Type: kind}
		for _, id := range ids {
			room := wantedRoom{ID: id}
			if kind == typeSubscribe {
				room = f.wanted(id)
			}
			r.Rooms = append(r.Rooms, room)
		}
		id, err := f.send(ctx, c, r)
		if err != nil {
			return err
		}
		c.named[id] = naming{kind, ids}
	}
	return nil
}

// wanted returns how a request subscribes to a room.
func (f *follower) wanted(id string) wantedRoom {
	return wantedRoom{ID: id, Since: f.rooms[id].since, Mode: "full"}
}

// left handles the answer to a request to unsubscribe from rooms.
func (f *follower) left(c *connection, in frame) {
	for _, at := range in.Rooms {
		if at.Problem != nil && isPassing(at.Problem.Status) {
			f.leaveLater(c, at.ID)
		}
	}
}

// leaveLater repeats a request to unsubscribe from rooms after a pause.
func (f *follower) leaveLater(c *connection, ids ...string) {
	c.surplus = append(c.surplus, ids...)
	c.leaveAt = f.Clock().Add(askAgain)
}

// notNamed handles that a request that names rooms was refused.
func (f *follower) notNamed(c *connection, named naming, status int) {
	if named.kind == typeUnsubscribe {
		if isPassing(status) {
			f.leaveLater(c, named.rooms...)
		}
		return
	}
	for _, id := range named.rooms {
		if r := f.rooms[id]; r != nil {
			f.notSubscribed(r, isPassing(status))
		}
	}
}

// notSubscribed handles that the server has refused a room. A refusal that does not pass is not
// repeated on the connection.
func (f *follower) notSubscribed(r *room, passes bool) {
	r.live, r.askAt = false, f.Clock().Add(longestLife)
	if passes {
		r.askAt = f.Clock().Add(askAgain)
	}
	f.pollLater(r)
}

// isPassing reports whether a request that was refused with a status may succeed later.
func isPassing(status int) bool {
	return status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}
