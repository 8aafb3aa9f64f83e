package history_test

import (
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// follow reads changes after the client's position, or after a random number up to the head.
func (c *client) follow(room chat.RoomID, p *pool) {
	since := c.since[room]
	if c.r.IntN(3) == 0 {
		since = c.r.Int64N(p.head.Load() + 1)
	}
	changes, ok := c.changes(room, since, 1+c.r.IntN(40))
	if !ok {
		return
	}
	advance(&p.head, changes.Head)
	if n := len(changes.Entries); n > 0 {
		c.since[room] = changes.Entries[n-1].Seq
	}
}

// changes reads changes and records what they show of the feed and of current messages.
func (c *client) changes(room chat.RoomID, since int64, limit int) (feed.Changes, bool) {
	rec := c.world.rec
	called := rec.now()
	position := chat.FeedPosition{Seq: since}
	if since > 0 {
		position.Generation, _ = c.world.generation.Load().(string)
	}
	changes, err := c.service.Feed.Changes(c.world.t.Context(), c.user, room, position, limit)
	if err != nil {
		if chat.KindOf(err) != chat.Unavailable {
			rec.report(wrongAnswer, "changes of %s since %d: %v", room, since, err)
		}
		return changes, false
	}
	if changes.Reset {
		rec.report(wrongAnswer, "changes of %s since %d are reset, the head is %d", room, since, changes.Head)
		return changes, false
	}
	if changes.Head > 0 {
		c.world.generation.Store(changes.Since.Generation)
	}
	rec.log(room, headInput{}, called, head(changes.Head))
	shown := entries{}
	reads := map[chat.MessageID]*chat.Message{}
	for i, e := range changes.Entries {
		if e.Seq != since+1+int64(i) {
			rec.report(wrongAnswer, "changes of %s since %d: number %d at index %d", room, since, e.Seq, i)
		}
		shown = append(shown, e.Change)
		if e.Change.Type.OfMessage() {
			reads[e.Change.Message] = e.Message
			if e.Message == nil || e.Message.Revision < e.Change.Revision {
				rec.report(wrongAnswer, "%s: the feed has revision %d of %s, but the message is %+v", room, e.Change.Revision, e.Change.Message, e.Message)
			}
		}
	}
	rec.log(room, readInput{since}, called, shown)
	if n := int64(len(shown)); n < int64(limit) && since+n < changes.Head {
		rec.report(wrongAnswer, "changes of %s since %d end after %d, before the head %d", room, since, n, changes.Head)
	}
	for id, m := range reads {
		if m != nil {
			rec.message(c.n, call{messageKey: messageKey{room, id}, kind: get}, called, answer{outcome: succeeded, view: viewOf(*m)})
		}
	}
	return changes, true
}

// changes reads all changes since a position, in pages of random size, like a returning client.
func (b *laggedRoom) changes(since chat.FeedPosition) (all []feed.Entry, wrong []string) {
	b.t.Helper()
	for {
		changes, err := b.service.Feed.Changes(b.t.Context(), person(0), laggedRoomID, since, 10+b.r.IntN(chat.MaxLimit-10))
		if err != nil || changes.Reset {
			return all, []string{fmt.Sprintf("changes since %+v: reset %v, %v", since, changes.Reset, err)}
		}
		for _, e := range changes.Entries {
			if since.Seq++; e.Seq != since.Seq {
				return all, []string{fmt.Sprintf("number %d follows %d", e.Seq, since.Seq-1)}
			}
			if e.Change.Type.OfMessage() && (e.Message == nil || e.Message.Revision < e.Change.Revision) {
				return all, []string{fmt.Sprintf("number %d, %+v, has the message %+v", e.Seq, e.Change, e.Message)}
			}
		}
		if changes.Since.Seq != since.Seq {
			return all, []string{fmt.Sprintf("the next position is %+v, want %+v", changes.Since, since)}
		}
		since = changes.Since
		if all = append(all, changes.Entries...); since.Seq == changes.Head {
			return all, nil
		}
	}
}

// check checks pages after the feed has caught up. Some pages get their own changes. The others
// share those since the oldest position, because nothing has changed meanwhile.
func (b *laggedRoom) check(held []page, from func(page) chat.FeedPosition) (wrong []string) {
	b.t.Helper()
	oldest := from(held[0])
	for _, s := range held {
		if since := from(s); since.Seq < oldest.Seq {
			oldest = since
		}
	}
	shared, wrong := b.changes(oldest)
	if len(wrong) > 0 {
		return wrong
	}
	for _, s := range held {
		since := from(s)
		entries := shared[since.Seq-oldest.Seq:]
		if b.r.IntN(4) == 0 {
			if entries, wrong = b.changes(since); len(wrong) > 0 {
				return wrong
			}
		}
		if wrong := b.missing(s, entries); len(wrong) > 0 {
			return wrong
		}
	}
	return nil
}

// missing applies changes to a page, like a client that drops duplicates by id. It returns the
// differences to the current room.
func (b *laggedRoom) missing(s page, entries []feed.Entry) (wrong []string) {
	holds := map[chat.MessageID]chat.Message{}
	for _, m := range s.listing.Items {
		holds[m.ID] = m
	}
	for _, e := range entries {
		if e.Message != nil {
			holds[e.Message.ID] = *e.Message
		}
	}
	for id, m := range b.messages {
		if h, held := holds[id]; held && viewOf(h) != viewOf(m) || !held && s.covers(m) {
			wrong = append(wrong, fmt.Sprintf("%+v at %v, since %d: holds %+v of %+v", s.query, s.at, s.listing.Since.Seq, viewOf(h), viewOf(m)))
		}
	}
	for id := range holds {
		if b.messages[id].Revision == 0 {
			wrong = append(wrong, fmt.Sprintf("%s was never posted", id))
		}
	}
	return wrong
}
