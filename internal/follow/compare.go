package follow

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"
)

const (
	// compareEvery is the pause between two comparisons of rooms without frames. With the requests
	// that follow, their changes arrive within a minute.
	compareEvery = 55 * time.Second
	// compareManyEvery is the pause above manyRooms, where a comparison reads more than 500 units.
	// Changes then arrive within five minutes.
	compareManyEvery = 290 * time.Second
	manyRooms        = 1000
)

// Head is the number of the newest change of a room.
type Head struct {
	Room string `json:"id"`
	Seq  int64  `json:"head"`
}

// compares reports whether the heads of the caller's rooms are compared: they show rooms that are
// not known, and changes of rooms to which no connection is subscribed.
func (f *follower) compares() bool { return f.Heads != nil && (f.All || len(f.order) > maxRooms) }

// comparePause is the time between two comparisons of rooms without frames.
func (f *follower) comparePause() time.Duration {
	if len(f.order) > manyRooms {
		return compareManyEvery
	}
	return compareEvery
}

// pollPause is the time between two polls of a room without frames. One of at most 100 rooms is
// polled often: it is refused, or there is no connection.
func (f *follower) pollPause() time.Duration {
	if len(f.order) > maxRooms {
		return f.comparePause()
	}
	return f.Poll
}

// after returns the time after a pause, which is randomly a little shorter.
func (f *follower) after(pause time.Duration) time.Time {
	return f.Clock().Add(pause - time.Duration(f.Random()*float64(f.Poll/2)))
}

// compare reads the heads.
func (f *follower) compare(whole context.Context) {
	ctx, cancel := context.WithTimeout(whole, requestTime)
	f.comparing = true
	f.later(whole, func() func(context.Context) error {
		defer cancel()
		heads, err := f.Heads(ctx)
		return func(context.Context) error {
			f.comparing, f.asked = false, true
			if err != nil {
				return f.notCompared(err)
			}
			f.refused, f.failures = 0, 0
			err := f.compared(heads)
			pause := f.comparePause()
			if f.link.polling {
				pause = f.pollPause()
			}
			f.compareAt = f.after(pause)
			return err
		}
	})
}

// notCompared decides when to read the heads again after a failure.
func (f *follower) notCompared(err error) error {
	f.failures++
	pause := Backoff(f.failures, f.Random())
	var refused Refused
	if errors.As(err, &refused) {
		if refused.StatusCode() == http.StatusUnauthorized {
			f.refused++
		} else if !refused.Passing() {
			return err
		}
		if f.refused >= maxRefused {
			return err
		}
		pause += refused.Wait()
	}
	f.compareAt = f.Clock().Add(pause)
	return nil
}

// compared queries the feeds of the rooms whose heads differ. With All, the follower's rooms
// become the rooms in heads.
func (f *follower) compared(heads []Head) error {
	listed := make(map[string]bool, len(heads))
	for _, h := range heads {
		listed[h.Room] = true
		if !f.All || f.rooms[h.Room] != nil {
			continue
		}
		if r := f.add(h.Room); f.ordered {
			f.front(r)
		}
	}
	if !f.ordered {
		f.ordered = true
		f.orderBy(heads)
	}
	for _, h := range heads {
		if r := f.rooms[h.Room]; r != nil {
			r.listed = true
			f.comparedRoom(r, h.Seq)
		}
	}
	for _, id := range slices.Clone(f.order) {
		if r := f.rooms[id]; r.listed && !listed[id] {
			if err := f.unlisted(r); err != nil {
				return err
			}
		}
	}
	for id := range f.stored { // rooms of an earlier run
		delete(f.stored, id)
		if err := f.Handle(Event{Type: Removed, Room: id}); err != nil {
			return err
		}
	}
	return nil
}

// comparedRoom queries the feed of a room whose head differs. The response to the next hello or
// subscription does that for rooms that wait for one. A head below the last number may be late, or
// the feed has started over, as in a restored table.
func (f *follower) comparedRoom(r *room, head int64) {
	now := f.Clock()
	awaited := r.chosen && f.Socket != "" && !f.link.polling && !now.Before(r.askAt)
	switch {
	case r.reset:
	case r.live:
		r.head = max(r.head, head)
		if r.behind() {
			r.fetchBy(now.Add(gapWait))
		}
	case r.known && head != r.seq, !r.known && !awaited:
		r.head = max(r.head, head)
		r.fetchBy(now)
	}
}

// unlisted handles that the caller's list no longer contains a room.
func (f *follower) unlisted(r *room) error {
	r.listed = false
	if !f.All {
		f.pollLater(r)
		return nil
	}
	if r.live {
		f.link.conn.surplus = append(f.link.conn.surplus, r.id)
	}
	return f.remove(r)
}

// add follows another room, the last in the order. Without a position, the caller reloads it.
func (f *follower) add(id string) *room {
	r := newRoom(Room{ID: id, Since: f.stored[id]})
	delete(f.stored, id)
	if r.since == "" {
		r.reset, r.fetchAt = true, f.Clock()
	}
	f.rooms[id] = r
	f.order = append(f.order, id)
	return r
}

// personal handles a personal event that shows what frames of rooms do not.
func (f *follower) personal(text []byte) {
	var in struct {
		Event struct {
			Type, Room string
			Seq        int64
		}
	}
	if json.Unmarshal(text, &in) != nil {
		return
	}
	r := f.rooms[in.Event.Room]
	switch in.Event.Type {
	case "room.added":
		if r == nil && f.All {
			f.front(f.add(in.Event.Room))
		}
	case "message.added", "mention.added":
		if r != nil && !r.live && !r.reset {
			r.head = max(r.head, in.Event.Seq)
			r.fetchBy(f.Clock())
		}
	}
}
