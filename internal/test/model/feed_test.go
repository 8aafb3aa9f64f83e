package model

import (
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// event is a change in a room. A row enters no feed: change then names only its message, or
// upload is a removed upload.
type event struct {
	room   *room
	change feed.Change
	row    bool
	upload *upload
}

func (m *model) emit(r *room, c feed.Change) { m.events = append(m.events, event{room: r, change: c}) }

// batch is a part of a room's feed that one write added.
type batch struct {
	first      int64
	changes    []feed.Change
	written    time.Time
	generation string
	expires    time.Time // the time from which it may be missing
	removed    bool
}

func (b *batch) last() int64 { return b.first + int64(len(b.changes)) - 1 }

// deliver adds the stream's events of a generation to the feeds, as one batch per room. The feed of
// a deleted room takes nothing more.
func (m *model) deliver(generation string, events []event) {
	var rooms []*room
	changes := map[*room][]feed.Change{}
	for _, e := range events {
		if m.deleted[e.room.id] != nil || e.row {
			continue
		}
		if changes[e.room] == nil {
			rooms = append(rooms, e.room)
		}
		changes[e.room] = append(changes[e.room], e.change)
	}
	for _, r := range rooms {
		b := &batch{first: 1, changes: withoutOvertaken(changes[r]), written: m.now(), generation: generation}
		b.expires = b.written.Add(m.retention).Truncate(time.Second)
		if before := r.head(); before != nil {
			b.first = before.last() + 1
			if generation != before.generation {
				b.first += generationGap
			}
		}
		r.feed = append(r.feed, b)
	}
}

// withoutOvertaken returns the changes that have a number. Of the changes of one person's membership,
// of the settings, of one message's counts or of its pin, only the last one has.
func withoutOvertaken(changes []feed.Change) []feed.Change {
	last := map[feed.Change]int{}
	of := func(c feed.Change) feed.Change {
		if c.Type.OfMessage() {
			return c
		}
		return feed.Change{Type: c.Type, User: c.User, Message: c.Message}
	}
	for i, c := range changes {
		last[of(c)] = i
	}
	var numbered []feed.Change
	for i, c := range changes {
		if last[of(c)] == i {
			numbered = append(numbered, c)
		}
	}
	return numbered
}

// head returns the newest batch, or nil.
func (r *room) head() *batch {
	if len(r.feed) == 0 {
		return nil
	}
	return r.feed[len(r.feed)-1]
}

// batchAt returns the batch that contains a number, or nil.
func (r *room) batchAt(seq int64) *batch {
	for _, b := range r.feed {
		if b.first <= seq && seq <= b.last() && !b.removed {
			return b
		}
	}
	return nil
}

// createdCount returns the number of message creations in the feed.
func (r *room) createdCount() int64 { return r.createdUpTo(maxSeq) }

func (r *room) createdUpTo(seq int64) int64 {
	var n int64
	for _, b := range r.feed {
		for i, c := range b.changes {
			if c.CreatesInRoom() && b.first+int64(i) <= seq {
				n++
			}
		}
	}
	return n
}

// pagePosition returns the position from which a reader of a page continues. It is the newest
// number, or an older one that was written at least indexLag earlier.
func (m *model) pagePosition(r *room) chat.FeedPosition {
	head := r.head()
	if head == nil {
		return chat.FeedPosition{}
	}
	since := chat.FeedPosition{Seq: head.last(), Generation: head.generation}
	if m.clock().Sub(head.written) > indexLag {
		return since
	}
	for i := len(r.feed) - 1; i >= 0 && r.feed[i].generation == head.generation; i-- {
		if head.written.Sub(r.feed[i].written) > indexLag {
			since.Seq = r.feed[i].last()
			return since
		}
		since.Seq = r.feed[i].first - 1
	}
	return since
}

// changes returns the changes that a reader at a position gets.
func (m *model) changes(caller chat.UserID, in chat.RoomID, since chat.FeedPosition, limit int) (feed.Changes, refusal) {
	if limit < 1 || limit > maxPage || since.Seq < 0 || since.Seq > maxSeq {
		return feed.Changes{}, refused(chat.Invalid)
	}
	r, denied := m.enter(caller, in, policy.Read)
	if denied != (refusal{}) {
		return feed.Changes{}, denied
	}
	head := r.head()
	if head == nil {
		return feed.Changes{Reset: since != chat.FeedPosition{}}, refusal{}
	}
	c := feed.Changes{Head: head.last(), Since: chat.FeedPosition{Seq: since.Seq, Generation: head.generation}}
	switch next := r.batchAt(since.Seq + 1); {
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

// entries returns the entries after a number, with the current messages.
func (r *room) entries(seq int64, limit int) []feed.Entry {
	var all []feed.Entry
	weight := 0
	for _, b := range r.feed {
		for i, c := range b.changes {
			e := feed.Entry{Seq: b.first + int64(i), Change: c}
			if e.Seq <= seq {
				continue
			}
			if c.Type.OfMessage() || c.Type == feed.CountsChanged {
				now := r.find(c.Message).shown(r.id)
				e.Message = &now
				weight += now.PageBytes()
			}
			if c.Type == feed.MemberChanged && r.isMember(c.User) {
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
