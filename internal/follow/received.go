package follow

import (
	"context"
	"encoding/json"
)

// received handles a frame. A frame that is not JSON ends the connection, because later frames
// cannot be trusted.
func (f *follower) received(text []byte) error {
	var in frame
	if err := json.Unmarshal(text, &in); err != nil {
		return f.disconnected(true)
	}
	switch in.Type {
	case typeAck:
		return f.acknowledged(in)
	case typeProblem:
		return f.refusedRequest(in)
	case typeChanges:
		return f.changed(in)
	case typeUnsubscribed:
		if r := f.rooms[in.Room]; r != nil {
			return f.remove(r)
		}
		return nil
	case typeClosing:
		f.link.closing = in.Reason
		return f.disconnected(in.Reason != "expired") // the server waits for it
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
		if err := f.deliver(r, next); err != nil {
			return err
		}
	}
	return nil
}

// acknowledged handles the positions that the server reports.
func (f *follower) acknowledged(in frame) error {
	l := &f.link
	_, waited := l.waiting[in.ID]
	delete(l.waiting, in.ID)
	if !waited {
		return nil
	}
	if in.ID == l.renewal {
		f.renewLater(l.token)
	}
	isHello := in.ID == l.hello
	for _, at := range in.Rooms {
		r := f.rooms[at.ID]
		if r == nil {
			continue
		}
		if err := f.positioned(r, at); err != nil {
			return err
		}
	}
	if !isHello {
		return nil
	}
	l.polling, l.helloed = false, f.Clock()
	for _, r := range f.rooms { // rooms that the server did not accept
		if !r.live && !r.reset {
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
	case at.Problem != nil:
		r.live, r.askAt = false, now.Add(askAgain)
		r.fetchBy(f.nextPoll(r))
		return nil
	case at.Unsubscribed:
		r.live = false
		r.fetchBy(now) // after which the room is subscribed again
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

// subscribe requests frames for a room to which the connection is not subscribed, but not in quick
// succession.
func (f *follower) subscribe(ctx context.Context, r *room) error {
	now := f.Clock()
	if r.live || f.link.conn == nil || f.link.helloed.IsZero() || now.Before(r.askAt) || len(f.order) > maxRooms {
		return nil
	}
	r.askAt = now.Add(askAgain)
	return f.send(ctx, request{Type: typeSubscribe, Rooms: []wantedRoom{{ID: r.id, Since: r.since, Mode: "full"}}})
}

// refusedRequest ends the connection after a refused hello. After a refused renewal, another
// connection replaces it. Other requests are repeated later.
func (f *follower) refusedRequest(in frame) error {
	_, waited := f.link.waiting[in.ID]
	delete(f.link.waiting, in.ID)
	switch {
	case waited && in.ID == f.link.hello:
		return f.disconnected(true)
	case waited && in.ID == f.link.renewal:
		return f.disconnected(false)
	}
	return nil
}
