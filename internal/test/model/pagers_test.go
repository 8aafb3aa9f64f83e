package model

import (
	"fmt"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// maxPagers is the number of readers that start from the first page. Readers that start in the
// middle are not counted.
const maxPagers = 6

// shortParts is the number of parts of a page, of which one may be missing if the page has a cursor.
const shortParts = 4

// pager reads the result of a query page by page, while the room changes.
type pager struct {
	caller  chat.UserID
	q       query
	cursor  string
	last    *message   // the last message of the last page
	initial []*message // the result when the reader started
	seen    []*message
}

// randomQuery returns a query for a room's messages.
func (w *world) randomQuery(in chat.RoomID) query {
	q := query{room: in, order: oneOf(w, chat.Newest, chat.Oldest)}
	if w.percent(35) {
		q.user = oneOf(w, people...)
	}
	m := w.randomMessage(in)
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
	if other := w.randomMessage(in); w.percent(70) && !q.time(other).Before(q.from) {
		q.to = q.time(other)
	}
	return q
}

// prefix restricts the query to a year, month, day, hour, minute or second.
func (w *world) prefix(q *query, t time.Time) {
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

// read reads a page, either for an existing reader or for a new one.
func (w *world) read() error {
	switch n := w.rand.IntN(100); {
	case n < 8:
		return w.readAround()
	case n < 16:
		return w.readBeside()
	case n < 20:
		return w.misuseCursor()
	case len(w.pagers) < maxPagers && n < 50 || len(w.pagers) == 0:
		in := w.randomRoom()
		p := &pager{caller: w.randomUser(in, policy.Read), q: w.randomQuery(in)}
		if r := w.model.rooms[in]; r != nil {
			p.initial = r.matching(p.q)
		}
		w.pagers = append(w.pagers, p)
		return w.readPage(p, w.randomLimit())
	}
	return w.readPage(oneOf(w, w.pagers...), w.randomLimit())
}

// readPage reads the next page. A reader that is refused stops. A reader at the end must have seen
// everything that existed at its start, in order and without duplicates.
func (w *world) readPage(p *pager, limit int) error {
	w.note("%s reads %v after %d messages, limit %d", p.caller, p.q, len(p.seen), limit)
	want, page, denied := w.model.list(p.caller, p.q, p.last, limit)
	got, err := w.service(p.q.room).Messages(w.ctx, p.caller, p.q.messageQuery(limit, p.cursor))
	if n := len(got.Items); p.cursor != "" && n < len(page) && shortParts*n >= (shortParts-1)*limit { // it may end early
		want.Messages, want.Next, page = want.Messages[:n], true, page[:n]
	}
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: newMessagePage(got)}); err != nil {
		return err
	}
	if denied == (refusal{}) {
		p.seen = append(p.seen, page...)
		if p.cursor = got.Next; p.cursor != "" {
			p.last = page[len(page)-1]
			return nil
		}
	}
	w.pagers = slices.DeleteFunc(w.pagers, func(other *pager) bool { return other == p })
	if denied != (refusal{}) {
		return nil
	}
	return p.checkComplete()
}

func (p *pager) checkComplete() error {
	at := 0
	for i, m := range p.seen {
		if slices.Contains(p.seen[:i], m) {
			return fmt.Errorf("a reader of %v got %s twice", p.q, m.id)
		}
		if at < len(p.initial) && p.initial[at] == m {
			at++
		}
	}
	if at < len(p.initial) {
		return fmt.Errorf("a reader of %v did not get %s in order", p.q, p.initial[at].id)
	}
	return nil
}

// readAround reads the page around a message and starts a reader in each direction.
func (w *world) readAround() error {
	in, id, center := w.randomTarget()
	caller, limit := w.randomUser(in, policy.Read), 1+w.rand.IntN(8)
	w.note("%s reads around %s in %s, limit %d", caller, id, in, limit)
	want, page, denied := w.model.around(caller, in, id, limit)
	got, err := w.service(in).Messages(w.ctx, caller, chat.MessageQuery{Room: in, Around: &id, Limit: limit})
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: newMessagePage(got)}); err != nil || denied != (refusal{}) || center == nil {
		return err
	}
	for _, dir := range []struct {
		cursor string
		order  chat.Order
		last   *message
	}{{got.Prev, chat.Oldest, page[0]}, {got.Next, chat.Newest, page[len(page)-1]}} {
		if dir.cursor != "" {
			q := query{room: in, order: dir.order}
			w.pagers = append(w.pagers, &pager{caller: caller, q: q, cursor: dir.cursor, last: dir.last, initial: w.model.rooms[in].after(q, dir.last)})
		}
	}
	return nil
}

// readBeside reads the page before or after a message and starts a reader that continues there.
func (w *world) readBeside() error {
	in, id, center := w.randomTarget()
	q := query{room: in, order: oneOf(w, chat.Newest, chat.Oldest)}
	if w.percent(50) {
		q.user = oneOf(w, people...)
	}
	caller, limit := w.randomUser(in, policy.Read), 1+w.rand.IntN(8)
	request := chat.MessageQuery{Room: in, User: q.user, Before: &id, Limit: limit}
	if q.order == chat.Oldest {
		request.Before, request.After = nil, &id
	}
	w.note("%s reads next to %s: %v, limit %d", caller, id, q, limit)
	want, page, denied := w.model.pageBeside(caller, q, id, limit)
	got, err := w.service(in).Messages(w.ctx, caller, request)
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: newMessagePage(got)}); err != nil || denied != (refusal{}) || center == nil {
		return err
	}
	if got.Next != "" {
		w.pagers = append(w.pagers, &pager{caller: caller, q: q, cursor: got.Next, last: page[len(page)-1], initial: w.model.rooms[in].after(q, page[len(page)-1])})
	}
	return nil
}

// misuseCursor uses a cursor with another query.
func (w *world) misuseCursor() error {
	var candidates []*pager
	for _, p := range w.pagers {
		if p.cursor != "" {
			candidates = append(candidates, p)
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	p := oneOf(w, candidates...)
	request, kind := p.q.messageQuery(5, p.cursor), chat.BadCursor
	switch w.rand.IntN(4) {
	case 0:
		request.Room = missingRoom
	case 1:
		request.User += "x"
	case 2:
		request.Order = new(1 - p.q.order)
	case 3:
		request.At, request.From, request.To, request.User, request.Around, kind = "", time.Time{}, time.Time{}, "", &p.last.id, chat.Invalid
	}
	w.note("%s uses the cursor of %v with %+v", p.caller, p.q, request)
	_, err := w.service(p.q.room).Messages(w.ctx, p.caller, request)
	return w.agree(answer{Refusal: refused(kind)}, answer{Refusal: refusalOf(err)})
}
