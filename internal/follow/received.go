package follow

import (
	"encoding/json"
	"net/http"
)

// received handles a frame. A frame that is not JSON ends the connection, because later frames
// cannot be trusted.
func (f *follower) received(c *connection, text []byte) error {
	var in frame
	if err := json.Unmarshal(text, &in); err != nil {
		return f.lost(c)
	}
	if c == f.link.conn {
		f.link.heardAt = f.Clock()
	}
	switch in.Type {
	case typeAck:
		return f.acknowledged(c, in)
	case typeProblem:
		return f.refusedRequest(c, in)
	case typeHeads:
		f.headed(in)
		return nil
	case typeChanges:
		return f.changed(in)
	case typeUnsubscribed:
		if r := f.rooms[in.Room]; r != nil {
			return f.remove(r)
		}
		return nil
	case typeClosing:
		c.closing = in.Reason
		if c == f.link.next {
			return f.lost(c)
		}
		return f.disconnected(in.Reason != "expired") // the server waits for it
	}
	if in.Type == typePersonal {
		f.personal(text)
	}
	return f.Handle(Event{Type: in.Type, Room: in.Room, Frame: text})
}

// changed handles a frame of changes.
func (f *follower) changed(in frame) error {
	for _, news := range in.Rooms {
		r := f.rooms[news.ID]
		if r == nil || r.reset {
			continue
		}
		next, omitted := r.takeFrame(news.Changes, news.Since)
		switch {
		case omitted:
			r.fetchBy(f.Clock())
		case r.behind():
			r.fetchBy(f.Clock().Add(gapWait))
		case r.live:
			r.fetchAt = f.nextPoll(r)
		}
		if len(next) > 0 {
			f.front(r)
		}
		if err := f.deliver(r, next); err != nil {
			return err
		}
	}
	return nil
}

// headed handles a frame with the numbers of changes that the connection may not have received.
func (f *follower) headed(in frame) {
	for _, at := range in.Rooms {
		if r := f.rooms[at.ID]; r != nil && !r.reset {
			r.head = max(r.head, at.Head)
			if r.behind() {
				r.fetchBy(f.Clock().Add(gapWait))
			}
		}
	}
}

// acknowledged handles the positions that the server reports. The connection that answers stays.
func (f *follower) acknowledged(c *connection, in frame) error {
	l := &f.link
	_, waited := c.waiting[in.ID]
	named := c.named[in.ID]
	delete(c.waiting, in.ID)
	delete(c.named, in.ID)
	switch {
	case !waited:
		return nil
	case named.kind == typeUnsubscribe:
		f.left(c, in)
		return nil
	}
	isHello := in.ID == c.hello
	if c == l.next {
		f.replace()
	} else if l.next != nil {
		f.abandon()
	}
	if in.ID == c.renewal {
		f.renewLater()
	}
	answered := map[string]bool{}
	for _, at := range in.Rooms {
		r := f.rooms[at.ID]
		if r == nil {
			continue
		}
		answered[at.ID] = true
		if err := f.positioned(r, at); err != nil {
			return err
		}
	}
	if !isHello {
		return nil
	}
	l.polling, l.helloed = false, true
	f.interrupt(c.begun)
	for id, r := range f.rooms { // rooms that the hello did not name, or the server did not accept
		r.live = r.live && answered[id]
		if !r.live && !r.reset && !r.compared() {
			r.fetchBy(f.Clock())
		}
	}
	return f.report(Live)
}

// positioned handles a room's entry in an ack.
func (f *follower) positioned(r *room, at frameRoom) error {
	now := f.Clock()
	switch {
	case at.Problem != nil && isGone(at.Problem.Status):
		return f.remove(r)
	case at.Problem != nil: // a conflict of one room is with another request
		f.notSubscribed(r, isPassing(at.Problem.Status) || at.Problem.Status == http.StatusConflict)
		return nil
	case at.Unsubscribed:
		if r.live {
			r.live, r.askAt = false, now // it is subscribed again
		}
		return nil
	case at.Reset:
		r.live, r.reset, r.fetchAt = true, true, now
		return nil
	}
	wasLive := r.live
	r.live, r.head = true, max(r.head, at.Head)
	switch {
	case wasLive && at.Head > r.seq:
		r.fetchBy(now.Add(gapWait)) // the frames may be on their way
	case r.behind() || !r.isAt(at.Head, at.Since):
		r.fetchBy(now)
	case !r.fetching:
		r.fetchAt = f.nextPoll(r) // nothing has happened since
	}
	return nil
}

// refusedRequest ends the connection after a refused hello. After a refused renewal, another
// connection replaces it.
func (f *follower) refusedRequest(c *connection, in frame) error {
	_, waited := c.waiting[in.ID]
	named, isNamed := c.named[in.ID]
	delete(c.waiting, in.ID)
	delete(c.named, in.ID)
	switch {
	case !waited:
		return nil
	case isNamed:
		status := 0
		if in.Problem != nil {
			status = in.Problem.Status
		}
		f.notNamed(c, named, status)
		return nil
	case in.ID == c.hello:
		return f.lost(c)
	case in.ID == c.renewal:
		return f.disconnected(false)
	}
	return nil
}
