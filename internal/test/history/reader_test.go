package history_test

import (
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
