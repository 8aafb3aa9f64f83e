package model

import (
	"errors"
	"fmt"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// maxReplicas is the number of clients that keep a copy at the same time.
const maxReplicas = 8

// replica is a client's copy of a room, built from one page and the changes after it.
type replica struct {
	caller chat.UserID
	room   chat.RoomID
	since  chat.FeedPosition
	floor  *message // the oldest message of the copy; nil if the copy is complete
	held   map[chat.MessageID]chat.Message
}

// errRefused is the error of a client that the model and the service both refused.
var errRefused = errors.New("refused")

// follow lets an existing client catch up or a new client start.
func (w *world) follow() error {
	if len(w.replicas) == 0 || len(w.replicas) < maxReplicas && w.percent(30) {
		in := w.randomRoom()
		c := &replica{caller: w.randomUser(in, policy.Read), room: in, held: map[chat.MessageID]chat.Message{}}
		w.replicas = append(w.replicas, c)
		if w.percent(70) { // the others read the feed from its start
			return w.dropRefused(c, w.begin(c))
		}
	}
	if w.percent(50) {
		if err := w.deliverAll(); err != nil {
			return err
		}
	}
	c := oneOf(w, w.replicas...)
	return w.dropRefused(c, w.catchUp(c))
}

// dropRefused removes a client that was refused.
func (w *world) dropRefused(c *replica, err error) error {
	if !errors.Is(err, errRefused) {
		return err
	}
	w.replicas = slices.DeleteFunc(w.replicas, func(other *replica) bool { return other == c })
	return nil
}

// begin reads a page of the newest messages.
func (w *world) begin(c *replica) error {
	limit := oneOf(w, 1, 3, 10, maxPage)
	w.note("%s starts a copy of %s with %d messages", c.caller, c.room, limit)
	q := query{room: c.room}
	want, page, denied := w.model.list(c.caller, q, nil, limit)
	got, err := w.service(c.room).Messages(w.ctx, c.caller, q.messageQuery(limit, ""))
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: newMessagePage(got)}); err != nil {
		return err
	}
	if denied != (refusal{}) {
		return errRefused
	}
	c.held, c.floor = map[chat.MessageID]chat.Message{}, nil
	for _, m := range newMessagePage(got).Messages {
		c.held[m.ID] = m
	}
	if got.Next != "" {
		c.floor = page[len(page)-1]
	}
	c.since = got.Since
	return nil
}

// catchUp reads all changes. The copy must equal the room if the whole stream was delivered.
func (w *world) catchUp(c *replica) error {
	for resets := 0; ; {
		got, err := w.changesSince(c.caller, c.room, c.since, oneOf(w, 1+w.rand.IntN(9), 50, maxPage))
		if err != nil {
			return err
		}
		if got == nil {
			return errRefused
		}
		if got.Reset {
			if resets++; resets > 1 {
				return fmt.Errorf("the position %+v of a page was refused", c.since)
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
	if w.delivered < len(w.chunks) {
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
		return fmt.Errorf("copy of %s by %s: %w", c.room, c.caller, err)
	}
	return nil
}

// holds reports whether a message belongs to the copy: the room lists it, and it is not older than
// the first page.
func (c *replica) holds(m *message) bool {
	return m.inRoom() && (c.floor == nil || query{order: chat.Oldest}.compare(m, c.floor) >= 0)
}

func (c *replica) apply(r *room, got *feed.Changes) {
	for _, e := range got.Entries {
		if e.Message != nil && c.holds(r.find(e.Message.ID)) {
			c.held[e.Message.ID] = *e.Message
		}
	}
	c.since = got.Since
}
