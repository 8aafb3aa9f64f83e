package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/policy"
)

// pinBoard holds the pins of a room, and counts their changes.
type pinBoard struct {
	pins    []pin.Pin
	changes int
}

// index returns the place of a pin, or -1.
func (b *pinBoard) index(id chat.MessageID) int {
	return slices.IndexFunc(b.pins, func(p pin.Pin) bool { return p.Message == id })
}

// pinsChanged emits the change of a pin.
func (m *model) pinsChanged(r *room, id chat.MessageID, pinned bool) {
	r.board.changes++
	m.emit(r, feed.Change{Type: feed.PinsChanged, Message: id, Revision: r.board.changes, Pinned: pinned})
}

// pin pins a message, or repeats it. Then it lists the pins.
func (w *world) pin() error {
	in, id, m := w.randomTarget()
	caller := w.randomUser(in, policy.Pin)
	w.note("%s pins %s in %s", caller, id, in)
	r, denied := w.model.enter(caller, in, policy.Pin)
	switch {
	case denied != (refusal{}):
	case m == nil:
		denied = refused(chat.NotFound)
	case m.isDeleted():
		denied = refused(chat.Conflict)
	case r.board.index(id) < 0:
		r.board.pins = append(r.board.pins, pin.Pin{Message: id, By: caller, At: w.model.now()})
		w.model.pinsChanged(r, id, true)
	}
	err := w.service(in).Pins.Pin(w.ctx, caller, in, id)
	if err := w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)}); err != nil {
		return err
	}
	return w.listPins(in)
}

// unpin unpins a message, which usually is pinned. Then it lists the pins.
func (w *world) unpin() error {
	in, id, _ := w.randomTarget()
	if r := w.model.rooms[in]; r != nil && len(r.board.pins) > 0 && w.percent(80) {
		id = oneOf(w, r.board.pins...).Message
	}
	caller := w.randomUser(in, policy.Pin)
	w.note("%s unpins %s in %s", caller, id, in)
	r, denied := w.model.enter(caller, in, policy.Pin)
	if denied == (refusal{}) {
		if i := r.board.index(id); i >= 0 {
			r.board.pins = slices.Delete(r.board.pins, i, i+1)
			w.model.pinsChanged(r, id, false)
		}
	}
	err := w.service(in).Pins.Unpin(w.ctx, caller, in, id)
	if err := w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)}); err != nil {
		return err
	}
	return w.listPins(in)
}

// listPins reads the pins of a room page by page.
func (w *world) listPins(in chat.RoomID) error {
	caller, limit := w.randomUser(in, policy.Read), 1+w.rand.IntN(20)
	r, denied := w.model.enter(caller, in, policy.Read)
	var want, got []pin.Pinned
	if denied == (refusal{}) {
		for _, p := range r.board.pins {
			if m := r.find(p.Message); !m.isDeleted() {
				want = append(want, pin.Pinned{Pin: p, Current: m.shown(in)})
			}
		}
		slices.SortFunc(want, func(a, b pin.Pinned) int {
			return cmp.Or(b.At.Compare(a.At), strings.Compare(a.Message.String(), b.Message.String()))
		})
	}
	for cursor := ""; ; {
		page, err := w.service(in).Pins.Pins(w.ctx, caller, in, chat.PageRequest{Limit: limit, Cursor: cursor})
		for _, p := range page.Items {
			p.Current.Digest = nil
			got = append(got, p)
		}
		if cursor = page.Next; err != nil || cursor == "" {
			return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
		}
	}
}

// losePins is a fault of calls: some pins are not stored.
func losePins(input any) any {
	update, ok := input.(*dynamodb.UpdateItemInput)
	if !ok {
		return nil
	}
	text, ok := update.ExpressionAttributeValues[":pin"].(*types.AttributeValueMemberS)
	if !ok {
		return nil
	}
	at, _, _ := strings.Cut(text.Value, "#")
	if ms, err := strconv.ParseInt(at, 10, 64); err != nil || ms%4 != 0 {
		return nil
	}
	return &dynamodb.UpdateItemOutput{}
}

// keepPins is a fault of calls: a message that is unpinned stays pinned.
func keepPins(input any) any {
	if update, ok := input.(*dynamodb.UpdateItemInput); ok && strings.Contains(*update.UpdateExpression, "REMOVE #pin ") {
		return &dynamodb.UpdateItemOutput{}
	}
	return nil
}
