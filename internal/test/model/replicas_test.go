package model

import (
	"errors"
	"fmt"
	"slices"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// mostReplicas is how many clients keep a copy at a time.
const mostReplicas = 8

// replica is a client's own copy of a room, from one page and the changes since.
type replica struct {
	caller chat.UserID
	room   chat.RoomID
	since  chat.FeedPosition
	floor  *message // the oldest that it holds; nil when it holds all
	held   map[chat.MessageID]chat.Message
}

// errLeft is for a client that was refused, as the model says too.
var errLeft = errors.New("refused")

// follow lets a client catch up, which may have been away for long, or a new one begin.
func (w *world) follow() error {
	if len(w.replicas) == 0 || len(w.replicas) < mostReplicas && w.percent(30) {
		in := w.somewhere()
		c := &replica{caller: w.someone(in, policy.Read), room: in, held: map[chat.MessageID]chat.Message{}}
		w.replicas = append(w.replicas, c)
		if w.percent(70) { // the others read the feed from its beginning
			return w.without(c, w.begin(c))
		}
	}
	if w.percent(50) {
		if err := w.deliverAll(); err != nil {
			return err
		}
	}
	c := oneOf(w, w.replicas...)
	return w.without(c, w.catchUp(c))
}

// without forgets a client that was refused.
func (w *world) without(c *replica, err error) error {
	if !errors.Is(err, errLeft) {
		return err
	}
	w.replicas = slices.DeleteFunc(w.replicas, func(other *replica) bool { return other == c })
	return nil
}

// begin takes a page of the newest messages.
func (w *world) begin(c *replica) error {
	limit := oneOf(w, 1, 3, 10, mostOnPage)
	w.note("%s begins a copy of %s with %d", c.caller, c.room, limit)
	q := question{room: c.room}
	want, page, no := w.model.list(c.caller, q, nil, limit)
	got, err := w.service(c.room).Messages(w.ctx, c.caller, q.asked(limit, ""))
	if err := w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err), Given: plain(got)}); err != nil {
		return err
	}
	if no != (refusal{}) {
		return errLeft
	}
	c.held, c.floor = map[chat.MessageID]chat.Message{}, nil
	for _, m := range plain(got).Messages {
		c.held[m.ID] = m
	}
	if got.Next != "" {
		c.floor = page[len(page)-1]
	}
	c.since = got.Since
	return nil
}

// catchUp takes all changes since. When the feed has told everything, the copy must be the room.
func (w *world) catchUp(c *replica) error {
	for begun := 0; ; {
		got, err := w.changesSince(c.caller, c.room, c.since, oneOf(w, 1+w.rand.IntN(9), 50, mostOnPage))
		if err != nil {
			return err
		}
		if got == nil {
			return errLeft
		}
		if got.Reset {
			if begun++; begun > 1 {
				return fmt.Errorf("a page's own position %+v was refused", c.since)
			}
			if err := w.begin(c); err != nil {
				return err
			}
			continue
		}
		c.apply(w.model.rooms[c.room], got)
		if c.since.Seq == got.Head {
			break
		}
	}
	if w.told < len(w.chunks) {
		return nil
	}
	want := map[chat.MessageID]chat.Message{}
	r := w.model.rooms[c.room]
	for _, m := range r.messages {
		if c.holds(m) {
			want[m.id] = m.shown(c.room)
		}
	}
	if err := w.agree(answer{Given: want}, answer{Given: c.held}); err != nil {
		return fmt.Errorf("the copy of %s that %s holds: %w", c.room, c.caller, err)
	}
	return nil
}

// holds tells whether a message belongs to the copy: it is not older than the first page.
func (c *replica) holds(m *message) bool {
	return c.floor == nil || question{order: chat.Oldest}.compare(m, c.floor) >= 0
}

func (c *replica) apply(r *room, got *feed.Changes) {
	for _, e := range got.Entries {
		if e.Message != nil && c.holds(r.find(e.Message.ID)) {
			c.held[e.Message.ID] = *e.Message
		}
	}
	c.since = got.Since
}
