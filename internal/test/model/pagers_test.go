package model

import (
	"fmt"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/policy"
)

// mostPagers is how many begin anew; those who begin in the middle come on top.
const mostPagers = 6

// pager reads an answer page by page, while others write.
type pager struct {
	caller chat.UserID
	q      question
	cursor string
	last   *message   // where the last page ended
	began  []*message // what there was to read at the beginning
	seen   []*message
}

// question is anything that may be asked of a room's messages.
func (w *world) question(in chat.RoomID) question {
	q := question{room: in, order: oneOf(w, chat.Newest, chat.Oldest)}
	if w.percent(35) {
		q.user = oneOf(w, people...)
	}
	m := w.message(in)
	if m == nil || w.percent(60) {
		return q
	}
	if w.percent(50) {
		w.prefix(&q, q.time(m))
		return q
	}
	if w.percent(70) {
		q.from = q.time(m).Add(-time.Duration(w.rand.Int64N(int64(time.Minute))))
	}
	if other := w.message(in); w.percent(70) && !q.time(other).Before(q.from) {
		q.to = q.time(other)
	}
	return q
}

// prefix asks for a year, a month, a day, an hour, a minute or a second.
func (w *world) prefix(q *question, t time.Time) {
	y, mo, d := t.Date()
	h, mi, s := t.Clock()
	at := func(y int, mo time.Month, d, h, mi, s int) time.Time {
		return time.Date(y, mo, d, h, mi, s, 0, time.UTC)
	}
	forms := []struct {
		layout   string
		from, to time.Time
	}{
		{"2006", at(y, 1, 1, 0, 0, 0), at(y+1, 1, 1, 0, 0, 0)},
		{"2006-01", at(y, mo, 1, 0, 0, 0), at(y, mo+1, 1, 0, 0, 0)},
		{"2006-01-02", at(y, mo, d, 0, 0, 0), at(y, mo, d+1, 0, 0, 0)},
		{"2006-01-02:15", at(y, mo, d, h, 0, 0), at(y, mo, d, h+1, 0, 0)},
		{"2006-01-02:15:04", at(y, mo, d, h, mi, 0), at(y, mo, d, h, mi+1, 0)},
		{"2006-01-02:15:04:05", at(y, mo, d, h, mi, s), at(y, mo, d, h, mi, s+1)},
	}
	f := oneOf(w, forms...)
	q.at, q.from, q.to = t.Format(f.layout), f.from, f.to
}

// read lets somebody read a page: one who is reading already, or somebody new.
func (w *world) read() error {
	switch n := w.rand.IntN(100); {
	case n < 8:
		return w.readAround()
	case n < 12:
		return w.misuseCursor()
	case len(w.pagers) < mostPagers && n < 45 || len(w.pagers) == 0:
		in := w.somewhere()
		p := &pager{caller: w.someone(in, policy.Read), q: w.question(in)}
		if r := w.model.rooms[in]; r != nil {
			p.began = r.answer(p.q)
		}
		w.pagers = append(w.pagers, p)
		return w.turn(p, w.limit())
	}
	return w.turn(oneOf(w, w.pagers...), w.limit())
}

// turn reads the next page. A reader who is refused stops; one who has come to the end must have
// seen all that was there when they began, in order, and nothing twice.
func (w *world) turn(p *pager, limit int) error {
	w.note("%s reads %v behind %d, %d", p.caller, p.q, len(p.seen), limit)
	want, page, no := w.model.list(p.caller, p.q, p.last, limit)
	got, err := w.service(p.q.room).Messages(w.ctx, p.caller, p.q.asked(limit, p.cursor))
	if err := w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err), Given: plain(got)}); err != nil {
		return err
	}
	if no == (refusal{}) {
		p.seen = append(p.seen, page...)
		if p.cursor = got.Next; p.cursor != "" {
			p.last = page[len(page)-1]
			return nil
		}
	}
	w.pagers = slices.DeleteFunc(w.pagers, func(other *pager) bool { return other == p })
	if no != (refusal{}) {
		return nil
	}
	return p.missedNothing()
}

func (p *pager) missedNothing() error {
	at := 0
	for i, m := range p.seen {
		if slices.Contains(p.seen[:i], m) {
			return fmt.Errorf("a reader of %v has seen %s twice", p.q, m.id)
		}
		if at < len(p.began) && p.began[at] == m {
			at++
		}
	}
	if at < len(p.began) {
		return fmt.Errorf("a reader of %v has not seen %s in its place", p.q, p.began[at].id)
	}
	return nil
}

// readAround begins in the middle, and lets two readers go on from there.
func (w *world) readAround() error {
	in, id, center := w.target()
	caller, limit := w.someone(in, policy.Read), 1+w.rand.IntN(8)
	w.note("%s reads around %s in %s, %d", caller, id, in, limit)
	want, page, no := w.model.around(caller, in, id, limit)
	got, err := w.service(in).Messages(w.ctx, caller, chat.MessageQuery{Room: in, Around: &id, Limit: limit})
	if err := w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err), Given: plain(got)}); err != nil || no != (refusal{}) || center == nil {
		return err
	}
	for _, way := range []struct {
		cursor string
		order  chat.Order
		last   *message
	}{{got.Prev, chat.Oldest, page[0]}, {got.Next, chat.Newest, page[len(page)-1]}} {
		if way.cursor != "" {
			q := question{room: in, order: way.order}
			w.pagers = append(w.pagers, &pager{caller: caller, q: q, cursor: way.cursor, last: way.last, began: w.model.rooms[in].behind(q, way.last)})
		}
	}
	return nil
}

// misuseCursor takes a cursor to another question.
func (w *world) misuseCursor() error {
	var with []*pager
	for _, p := range w.pagers {
		if p.cursor != "" {
			with = append(with, p)
		}
	}
	if len(with) == 0 {
		return nil
	}
	p := oneOf(w, with...)
	asked, kind := p.q.asked(5, p.cursor), chat.BadCursor
	switch w.rand.IntN(4) {
	case 0:
		asked.Room = nowhere
	case 1:
		asked.User += "x"
	case 2:
		asked.Order = new(1 - p.q.order)
	case 3:
		asked.At, asked.From, asked.To, asked.User, asked.Around, kind = "", time.Time{}, time.Time{}, "", &p.last.id, chat.Invalid
	}
	w.note("%s takes the cursor of %v to %+v", p.caller, p.q, asked)
	_, err := w.service(p.q.room).Messages(w.ctx, p.caller, asked)
	return w.agree(answer{Refusal: refused(kind)}, answer{Refusal: refusalOf(err)})
}
