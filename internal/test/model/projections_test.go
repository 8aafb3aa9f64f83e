package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/thread"
)

// projectionStore is the part of the store that the projections of the feed function use.
type projectionStore interface {
	tally.Store
}

// projectionBug is a store with a fault in the projections of its handler.
type projectionBug interface {
	projections(all []stream.Projection) []stream.Projection
}

// projectionsOf returns the projections of the feed function, in its order.
func projectionsOf(s store, b *bucket.Client, clock func() time.Time) []stream.Projection {
	all := []stream.Projection{thread.NewProjection(s.Table()), tally.NewCounter(s), pin.NewProjection(s.Table()), attachment.NewProjection(s.Table(), s, b), mentionProjection(s, clock)}
	if b, ok := s.(projectionBug); ok {
		return b.projections(all)
	}
	return all
}

// project does what follows from a batch, after its changes are in the feeds. It returns the
// changes that this causes. They are not in the stream's order, which no one can predict: the
// rooms and messages of a batch are processed concurrently.
func (m *model) project(batch []event) (caused []event) {
	touched := map[*message]*tallyParts{}
	of := func(r *room, id chat.MessageID) *tallyParts {
		found := r.find(id)
		if touched[found] == nil {
			touched[found] = &tallyParts{room: r}
		}
		return touched[found]
	}
	for _, e := range batch {
		if e.upload != nil {
			m.uploadRemoved(e.upload)
			continue
		}
		if m.deleted[e.room.id] != nil {
			continue
		}
		if !e.row && e.change.Type.OfMessage() {
			e.room.decideMentions(e.change)
		}
		if e.change.Type == feed.MessageCreated || e.change.Type == feed.ReplyCreated || e.change.Type == feed.MessageDeleted {
			e.room.find(e.change.Message).keep()
		}
		switch {
		case e.row:
			of(e.room, e.change.Message).reactions = true
		case e.change.Type == feed.ReplyCreated:
			e.room.find(e.change.Message).referenced = true
			e.room.followByReply(e.change)
			of(e.room, e.change.Thread).replies = true
		case e.change.Type == feed.MessageDeleted:
			of(e.room, e.change.Message).reactions = true
			if reply := e.room.find(e.change.Message); reply.isReply() {
				reply.unlisted = true
				of(e.room, reply.thread).replies = true
			}
			caused = append(caused, e.room.unpinDeleted(e.change.Message)...)
		}
	}
	for message, parts := range touched {
		if message.recount(*parts) {
			change := feed.Change{Type: feed.CountsChanged, Message: message.id, Revision: message.tally.Version}
			caused = append(caused, event{room: parts.room, change: change})
		}
	}
	return caused
}

// tallyParts are the parts of a message's tally that a batch touches.
type tallyParts struct {
	room               *room
	reactions, replies bool
}

// followByReply makes the authors of a reply and of its root follow the thread, unless they ever
// decided. The author of the root has not seen the reply.
func (r *room) followByReply(c feed.Change) {
	seq := r.seqOf(c)
	seen := map[chat.UserID]int64{c.Thread.User: seq - 1, c.Message.User: seq}
	for user, seq := range seen {
		row := r.row(threadOf{user, c.Thread})
		if row.decided {
			continue
		}
		row.decided, row.following = true, true
		if row.seq < 0 {
			row.seq = seq
		}
	}
}

// seqOf returns the number of a change.
func (r *room) seqOf(c feed.Change) int64 {
	for _, b := range r.feed {
		if i := slices.Index(b.changes, c); i >= 0 {
			return b.first + int64(i)
		}
	}
	return 0
}

// unpinDeleted removes the pin of a message, if there is one.
func (r *room) unpinDeleted(id chat.MessageID) []event {
	i := r.board.index(id)
	if i < 0 {
		return nil
	}
	r.board.pins = slices.Delete(r.board.pins, i, i+1)
	r.board.changes++
	return []event{{room: r, change: feed.Change{Type: feed.PinsChanged, Message: id, Revision: r.board.changes}}}
}

// recount counts parts of a message's tally. It reports whether the tally is another one now.
func (m *message) recount(of tallyParts) bool {
	after := m.tally
	if of.reactions {
		after.Reactions = m.countedReactions()
	}
	if of.replies {
		after.Replies = of.room.countedReplies(m.id)
	}
	if slices.Equal(after.Reactions, m.tally.Reactions) && sameReplies(after.Replies, m.tally.Replies) {
		return false
	}
	after.Version++
	m.tally = after
	return true
}

func sameReplies(a, b chat.ReplyCount) bool {
	return a.Count == b.Count && a.LastAt.Equal(b.LastAt) && slices.Equal(a.Users, b.Users)
}

// countedReactions counts the reactions to a message: the emoji that it shows already first, then
// the others in their order. A deleted message has none.
func (m *message) countedReactions() []chat.ReactionCount {
	if m.isDeleted() {
		return nil
	}
	number := map[string]int{}
	for _, r := range m.reactions {
		number[r.emoji]++
	}
	var all []chat.ReactionCount
	for _, shown := range m.tally.Reactions {
		if n := number[shown.Emoji]; n > 0 {
			all = append(all, chat.ReactionCount{Emoji: shown.Emoji, Count: n})
		}
		delete(number, shown.Emoji)
	}
	shown := len(all)
	for emoji, n := range number {
		all = append(all, chat.ReactionCount{Emoji: emoji, Count: n})
	}
	slices.SortFunc(all[shown:], func(a, b chat.ReactionCount) int { return strings.Compare(a.Emoji, b.Emoji) })
	return all
}

// countedReplies describes the replies to a message of which the feed function knows.
func (r *room) countedReplies(root chat.MessageID) (counted chat.ReplyCount) {
	var all []*message
	for _, m := range r.messages {
		if m.thread == root && m.referenced && !m.unlisted {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b *message) int { return query{order: chat.Newest}.compare(a, b) })
	for _, m := range all {
		if counted.Count++; counted.Count == 1 {
			counted.LastAt = m.receivedAt
		}
		if user := string(m.id.User); len(counted.Users) < chat.MaxReplyUsers && !slices.Contains(counted.Users, user) {
			counted.Users = append(counted.Users, user)
		}
	}
	return counted
}

// readCaused reads the stream records of a batch. Their changes of rooms must be those that the
// model expects, in any order.
func (w *world) readCaused(want []event) error {
	before := len(w.chunks)
	w.addChunk(nil)
	if len(w.chunks) == before {
		return wantEvents(want, nil)
	}
	c := &w.chunks[before]
	var removed []event
	for _, r := range c.records {
		rec := stream.Read(r)
		if row := rec.Row; row != nil && row.Removed && row.Upload != (uuid.UUID{}) {
			i := slices.IndexFunc(w.model.uploads, func(u *upload) bool { return u.room.id == rec.Room && u.user == row.User && u.draft.ID == row.Upload })
			removed = append(removed, event{room: w.model.uploads[i].room, row: true, upload: w.model.uploads[i]})
		}
		if room := w.model.rooms[rec.Room]; rec.InFeed && room != nil {
			change := rec.Change.Change
			change.Origin = 0
			c.events = append(c.events, event{room: room, change: change})
		}
	}
	err := wantEvents(want, c.events)
	c.events = append(c.events, removed...)
	return err
}

// wantEvents compares events regardless of their order.
func wantEvents(want, got []event) error {
	texts := func(all []event) (lines []string) {
		for _, e := range all {
			lines = append(lines, fmt.Sprintf("%s: %+v", e.room.id, e.change))
		}
		slices.Sort(lines)
		return lines
	}
	if a, b := texts(want), texts(got); !slices.Equal(a, b) {
		return fmt.Errorf("a batch should cause %q, and caused %q", a, b)
	}
	return nil
}

// compareTallies counts the rows of all messages of a room. After everything is delivered, each
// tally matches its rows, and those are the model's.
func (w *world) compareTallies(r *room) error {
	rows := dynamo.New(w.client, dynamo.Options{Table: tableName, Clock: w.clock.now})
	for _, m := range r.messages {
		if m.tally.Version == 0 && len(m.reactions) == 0 {
			continue
		}
		stored, _, err := rows.Counted(w.ctx, r.id, m.id)
		if err != nil {
			return err
		}
		reactions, err := rows.ReactionCounts(w.ctx, r.id, m.id)
		if err != nil {
			return err
		}
		replies, err := rows.RepliesTo(w.ctx, r.id, m.id)
		if err != nil {
			return err
		}
		if m.isDeleted() {
			reactions = nil
		}
		inOrder := slices.SortedFunc(slices.Values(stored.Tally.Reactions), func(a, b chat.ReactionCount) int { return cmp.Compare(a.Emoji, b.Emoji) })
		if !slices.Equal(inOrder, reactions) || !sameReplies(stored.Tally.Replies, replies) {
			return fmt.Errorf("the tally of %s is %+v, and its rows are %+v and %+v", m.id, stored.Tally, reactions, replies)
		}
		if !slices.Equal(stored.Tally.Reactions, m.countedReactions()) || !sameReplies(replies, r.countedReplies(m.id)) || stored.Tally.Version != m.tally.Version {
			return fmt.Errorf("the tally of %s is %+v, and the model's %+v", m.id, stored.Tally, m.tally)
		}
	}
	return nil
}
