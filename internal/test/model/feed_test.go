package model

import (
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// event is something that happened in a room.
type event struct {
	room   *room
	change feed.Change
}

func (m *model) happened(r *room, c feed.Change) { m.news = append(m.news, event{r, c}) }

// batch is a part of a room's feed that was written at once.
type batch struct {
	first      int64
	changes    []feed.Change
	written    time.Time
	generation string
	expires    time.Time // from when it need not be there any more
	removed    bool
}

func (b *batch) last() int64 { return b.first + int64(len(b.changes)) - 1 }

// mark is how far somebody has read: up to a number, and how many messages that was.
type mark struct{ seq, count int64 }

// deliver enters what the stream of a generation tells into the feeds: one batch a room.
func (m *model) deliver(generation string, events []event) {
	var rooms []*room
	changes := map[*room][]feed.Change{}
	for _, e := range events {
		if changes[e.room] == nil {
			rooms = append(rooms, e.room)
		}
		changes[e.room] = append(changes[e.room], e.change)
	}
	for _, r := range rooms {
		b := &batch{first: 1, changes: changes[r], written: m.now(), generation: generation}
		b.expires = b.written.Add(m.life).Truncate(time.Second)
		if before := r.head(); before != nil {
			b.first = before.last() + 1
			if generation != before.generation {
				b.first += betweenGens
			}
		}
		r.feed = append(r.feed, b)
	}
}

// head is the newest batch, or nil.
func (r *room) head() *batch {
	if len(r.feed) == 0 {
		return nil
	}
	return r.feed[len(r.feed)-1]
}

// holding is the batch that has a number, or nil.
func (r *room) holding(seq int64) *batch {
	for _, b := range r.feed {
		if b.first <= seq && seq <= b.last() && !b.removed {
			return b
		}
	}
	return nil
}

// told is how many messages' creations the feed has told of.
func (r *room) told() int64 { return r.toldUpTo(lastNumber) }

func (r *room) toldUpTo(seq int64) int64 {
	var n int64
	for _, b := range r.feed {
		for i, c := range b.changes {
			if c.Type == feed.MessageCreated && b.first+int64(i) <= seq {
				n++
			}
		}
	}
	return n
}

// settled returns the position from which a page's reader goes on: the newest number, or the newest
// that was written long enough before it.
func (m *model) settled(r *room) chat.FeedPosition {
	head := r.head()
	if head == nil {
		return chat.FeedPosition{}
	}
	since := chat.FeedPosition{Seq: head.last(), Generation: head.generation}
	if m.clock().Sub(head.written) > lag {
		return since
	}
	for i := len(r.feed) - 1; i >= 0 && r.feed[i].generation == head.generation; i-- {
		if head.written.Sub(r.feed[i].written) > lag {
			since.Seq = r.feed[i].last()
			return since
		}
		since.Seq = r.feed[i].first - 1
	}
	return since
}

// changes returns the answer to a reader at a position.
func (m *model) changes(caller chat.UserID, in chat.RoomID, since chat.FeedPosition, limit int) (feed.Changes, refusal) {
	if limit < 1 || limit > mostOnPage || since.Seq < 0 || since.Seq > lastNumber {
		return feed.Changes{}, refused(chat.Invalid)
	}
	r, no := m.enter(caller, in, policy.Read)
	if no != (refusal{}) {
		return feed.Changes{}, no
	}
	head := r.head()
	if head == nil {
		return feed.Changes{Reset: since != chat.FeedPosition{}}, refusal{}
	}
	c := feed.Changes{Head: head.last(), Since: chat.FeedPosition{Seq: since.Seq, Generation: head.generation}}
	switch next := r.holding(since.Seq + 1); {
	case since.Generation != head.generation && (since.Seq > 0 || since.Generation != ""):
		c.Reset = true
	case since.Seq == c.Head:
	case next == nil, next.generation != head.generation, m.expired(next):
		c.Reset = true
	default:
		c.Entries = r.entries(since.Seq, limit)
		c.Since.Seq += int64(len(c.Entries))
	}
	if c.Reset {
		c.Since = chat.FeedPosition{}
	}
	return c, refusal{}
}

func (m *model) expired(b *batch) bool { return !m.clock().Before(b.expires) }

// entries are those behind a number, with the messages as they stand.
func (r *room) entries(seq int64, limit int) []feed.Entry {
	var all []feed.Entry
	weight := 0
	for _, b := range r.feed {
		for i, c := range b.changes {
			e := feed.Entry{Seq: b.first + int64(i), Change: c}
			if e.Seq <= seq {
				continue
			}
			if c.Type.OfMessage() {
				now := r.find(c.Message).shown(r.id)
				e.Message = &now
				weight += now.PageBytes()
			}
			if c.Type == feed.MemberChanged && r.inside(c.User) {
				member := r.shownMember(c.User)
				e.Member = &member
			}
			if len(all) == limit || len(all) > 0 && weight > pageBytes {
				return all
			}
			all = append(all, e)
		}
	}
	return all
}

// markRead moves somebody's mark, never back.
func (m *model) markRead(caller chat.UserID, in chat.RoomID, seq int64) (feed.Reading, refusal) {
	if seq < 0 || seq > lastNumber {
		return feed.Reading{}, refused(chat.Invalid)
	}
	r, no := m.enter(caller, in, policy.Read)
	if no != (refusal{}) {
		return feed.Reading{}, no
	}
	if seq > 0 && (r.head() == nil || seq > r.head().last()) {
		return feed.Reading{}, refused(chat.Invalid)
	}
	if was, ok := r.marks[caller]; !ok || seq > was.seq {
		r.marks[caller] = mark{seq, r.known(seq)}
	}
	return r.reading(caller), refusal{}
}

// known is how many messages had been told of up to a number, as far as that can still be
// known: where the number was removed, what is left tells how many there were before it.
func (r *room) known(seq int64) int64 {
	if head := r.head(); head != nil && seq == head.last() {
		return r.told()
	}
	var n int64
	for _, b := range r.feed {
		switch {
		case seq == 0 || b.removed:
		case b.first > seq:
			return r.toldUpTo(b.first - 1)
		case seq <= b.last():
			return r.toldUpTo(seq)
		default:
			n = r.toldUpTo(b.last())
		}
	}
	return n
}

// reading is how far somebody has read: what was told before they came is not unread.
func (r *room) reading(user chat.UserID) feed.Reading {
	read := r.marks[user]
	seen := read.count
	if m := r.members[user]; m != nil {
		seen = max(seen, m.count)
	}
	return feed.Reading{Seq: read.seq, Unread: r.told() - seen}
}
