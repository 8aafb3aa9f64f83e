package model

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// query is a query for a room's messages, with its range resolved.
type query struct {
	room     chat.RoomID
	user     chat.UserID
	at       string // the time prefix that from and to are derived from; empty if they were given
	from, to time.Time
	order    chat.Order
}

func (q query) String() string {
	s := fmt.Sprintf("%s, order %d", q.room, q.order)
	if q.user != "" {
		s += ", from " + string(q.user)
	}
	if q.at != "" {
		return s + ", at " + q.at
	}
	for _, t := range []time.Time{q.from, q.to} {
		if s += ", "; !t.IsZero() {
			s += t.Format(time.RFC3339Nano)
		}
	}
	return s
}

// messageQuery returns the query as the service takes it.
func (q query) messageQuery(limit int, cursor string) chat.MessageQuery {
	a := chat.MessageQuery{Room: q.room, User: q.user, At: q.at, Limit: limit, Cursor: cursor}
	if q.at == "" {
		a.From, a.To = q.from, q.to
	}
	if cursor == "" {
		a.Order = &q.order
	}
	return a
}

// time returns the time that the query sorts by: the sending time for one user's messages,
// otherwise the time of receipt.
func (q query) time(m *message) time.Time {
	if q.user != "" {
		return m.id.SentAt()
	}
	return m.receivedAt
}

func (q query) compare(a, b *message) int {
	c := cmp.Or(
		q.time(a).Compare(q.time(b)),
		cmp.Compare(a.id.User, b.id.User),
		bytes.Compare(a.id.UUID[:], b.id.UUID[:]),
	)
	if q.order == chat.Newest {
		return -c
	}
	return c
}

// matching returns every message that matches the query, in its order.
func (r *room) matching(q query) []*message {
	var all []*message
	for _, m := range r.messages {
		at := q.time(m)
		if (q.user == "" && m.inRoom() || m.id.User == q.user) &&
			(q.from.IsZero() || !at.Before(q.from)) && (q.to.IsZero() || at.Before(q.to)) {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, q.compare)
	return all
}

// after returns the messages that match the query and follow last.
func (r *room) after(q query, last *message) []*message {
	all := r.matching(q)
	if last == nil {
		return all
	}
	return slices.DeleteFunc(all, func(m *message) bool { return q.compare(m, last) <= 0 })
}

// page returns as much of a list as fits on a page.
func (r *room) page(list []*message, limit int) []*message {
	weight := 0
	for i, m := range list {
		weight += m.shown(r.id).PageBytes()
		if i == limit || i > 0 && weight > pageBytes {
			return list[:i]
		}
	}
	return list
}

// messagePage is a page of messages in a comparable form.
type messagePage struct {
	Messages   []chat.Message
	Next, Prev bool // whether a cursor is set
	Since      chat.FeedPosition
}

// list returns the page after a message.
func (m *model) list(caller chat.UserID, q query, last *message, limit int) (messagePage, []*message, refusal) {
	if limit < 1 || limit > maxPage {
		return messagePage{}, nil, refused(chat.Invalid)
	}
	r, denied := m.enter(caller, q.room, policy.Read)
	if denied != (refusal{}) {
		return messagePage{}, nil, denied
	}
	rest := r.after(q, last)
	page := r.page(rest, limit)
	return messagePage{Messages: r.shownAll(page), Next: len(page) < len(rest), Since: m.pagePosition(r)}, page, refusal{}
}

// around returns the page with a message in its middle, newest first.
func (m *model) around(caller chat.UserID, in chat.RoomID, id chat.MessageID, limit int) (messagePage, []*message, refusal) {
	r, denied := m.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return messagePage{}, nil, denied
	}
	center := r.find(id)
	if center == nil {
		return messagePage{}, nil, refused(chat.NotFound)
	}
	if !center.inRoom() {
		return messagePage{}, nil, refused(chat.Invalid)
	}
	newer := r.after(query{order: chat.Oldest}, center)
	older := r.after(query{order: chat.Newest}, center)
	above := r.page(newer, (limit-1)/2)
	below := r.page(older, limit-1-(limit-1)/2)
	page := slices.Clone(above)
	slices.Reverse(page)
	page = slices.Concat(page, []*message{center}, below)
	l := messagePage{Messages: r.shownAll(page), Since: m.pagePosition(r)}
	l.Prev, l.Next = len(above) < len(newer), len(below) < len(older)
	return l, page, refusal{}
}

// pageBeside returns the page on one side of a message, in the order of q.
func (m *model) pageBeside(caller chat.UserID, q query, id chat.MessageID, limit int) (messagePage, []*message, refusal) {
	r, denied := m.enter(caller, q.room, policy.Read)
	if denied != (refusal{}) {
		return messagePage{}, nil, denied
	}
	if r.find(id) == nil {
		return messagePage{}, nil, refused(chat.NotFound)
	}
	return m.list(caller, q, r.find(id), limit)
}

func (r *room) shownAll(page []*message) []chat.Message {
	var all []chat.Message
	for _, m := range page {
		all = append(all, m.shown(r.id))
	}
	return all
}

// newMessagePage converts the service's page.
func newMessagePage(l chat.MessagePage) messagePage {
	p := messagePage{Next: l.Next != "", Prev: l.Prev != "", Since: l.Since}
	for _, m := range l.Items {
		m.Digest = nil
		p.Messages = append(p.Messages, m)
	}
	return p
}
