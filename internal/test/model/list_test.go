package model

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/policy"
)

// question is what somebody asks of a room's messages, resolved to its range.
type question struct {
	room     chat.RoomID
	user     chat.UserID
	at       string // the prefix of a time that from and to stand for; empty where they were given
	from, to time.Time
	order    chat.Order
}

func (q question) String() string {
	s := fmt.Sprintf("%s, order %d", q.room, q.order)
	if q.user != "" {
		s += ", of " + string(q.user)
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

// asked is the question as the service takes it.
func (q question) asked(limit int, cursor string) chat.MessageQuery {
	a := chat.MessageQuery{Room: q.room, User: q.user, At: q.at, Limit: limit, Cursor: cursor}
	if q.at == "" {
		a.From, a.To = q.from, q.to
	}
	if cursor == "" {
		a.Order = &q.order
	}
	return a
}

// time is what counts for the question: one person's messages stand as they sent them.
func (q question) time(m *message) time.Time {
	if q.user != "" {
		return m.id.SentAt()
	}
	return m.received
}

func (q question) compare(a, b *message) int {
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

// answer is every message that answers the question, in its order.
func (r *room) answer(q question) []*message {
	var all []*message
	for _, m := range r.messages {
		at := q.time(m)
		if (q.user == "" || m.id.User == q.user) &&
			(q.from.IsZero() || !at.Before(q.from)) && (q.to.IsZero() || at.Before(q.to)) {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, q.compare)
	return all
}

// behind is what of the answer comes after a message.
func (r *room) behind(q question, last *message) []*message {
	all := r.answer(q)
	if last == nil {
		return all
	}
	return slices.DeleteFunc(all, func(m *message) bool { return q.compare(m, last) <= 0 })
}

// page is as much of a list as fits on a page.
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

// listing is what a page of messages must be.
type listing struct {
	Messages   []chat.Message
	Next, Prev bool // whether there is a cursor
	Since      chat.FeedPosition
}

// list is the page behind a message.
func (m *model) list(caller chat.UserID, q question, last *message, limit int) (listing, []*message, refusal) {
	if limit < 1 || limit > mostOnPage {
		return listing{}, nil, refused(chat.Invalid)
	}
	r, no := m.enter(caller, q.room, policy.Read)
	if no != (refusal{}) {
		return listing{}, nil, no
	}
	rest := r.behind(q, last)
	page := r.page(rest, limit)
	return listing{Messages: r.shownAll(page), Next: len(page) < len(rest), Since: m.settled(r)}, page, refusal{}
}

// around is the page with a message in its middle, newest first.
func (m *model) around(caller chat.UserID, in chat.RoomID, id chat.MessageID, limit int) (listing, []*message, refusal) {
	r, no := m.enter(caller, in, policy.Read)
	if no != (refusal{}) {
		return listing{}, nil, no
	}
	center := r.find(id)
	if center == nil {
		return listing{}, nil, refused(chat.NotFound)
	}
	newer := r.behind(question{order: chat.Oldest}, center)
	older := r.behind(question{order: chat.Newest}, center)
	above := r.page(newer, (limit-1)/2)
	below := r.page(older, limit-1-(limit-1)/2)
	page := slices.Clone(above)
	slices.Reverse(page)
	page = slices.Concat(page, []*message{center}, below)
	l := listing{Messages: r.shownAll(page), Since: m.settled(r)}
	l.Prev, l.Next = len(above) < len(newer), len(below) < len(older)
	return l, page, refusal{}
}

func (r *room) shownAll(page []*message) []chat.Message {
	var all []chat.Message
	for _, m := range page {
		all = append(all, m.shown(r.id))
	}
	return all
}

// plain is the engine's page in the same form.
func plain(l chat.MessagePage) listing {
	p := listing{Next: l.Next != "", Prev: l.Prev != "", Since: l.Since}
	for _, m := range l.Items {
		m.Digest = nil
		p.Messages = append(p.Messages, m)
	}
	return p
}
