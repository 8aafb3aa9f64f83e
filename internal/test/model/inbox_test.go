package model

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
)

// maxUnread is the largest count of unread messages.
const maxUnread = 1000

// ownRooms lists a user's rooms with their unread counts.
func (w *world) ownRooms() error {
	user := oneOf(w, people...)
	if w.percent(3) {
		_, err := w.service(missingRoom).Inbox.RoomsOf(w.ctx, user, "other", chat.PageRequest{Limit: 1})
		return w.agree(answer{Refusal: refused(chat.Forbidden)}, answer{Refusal: refusalOf(err)})
	}
	return w.roomsOf(user)
}

func (w *world) roomsOf(user chat.UserID) error {
	w.note("%s lists their rooms", user)
	service := w.service(missingRoom)
	got, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[inbox.Room], error) {
		return service.Inbox.RoomsOf(w.ctx, user, user, p)
	})
	for i, r := range got {
		got[i].Room = chat.Room{ID: r.Room.ID, Name: r.Room.Name, Topic: r.Room.Topic, Private: r.Room.Private, Archived: r.Room.Archived}
		if r.Newest != nil {
			got[i].Newest.Digest = nil
		}
	}
	return w.agree(answer{Given: w.model.roomsOf(user)}, answer{Refusal: refusalOf(err), Given: got})
}

// roomsOf returns a user's rooms, sorted by activity, newest first, without the rooms of people
// whom they have blocked.
func (m *model) roomsOf(user chat.UserID) []inbox.Room {
	var all []inbox.Room
	for _, r := range m.rooms {
		if !r.isMember(user) || r.hiddenByBlocks(user) {
			continue
		}
		own := inbox.Room{
			Room:       chat.Room{ID: r.id, Name: r.settings.Name, Topic: r.settings.Topic, Private: r.private, Archived: r.settings.Archived},
			Membership: r.shownMember(user), Reading: r.reading(user), Preferences: r.prefers[user], ActiveAt: r.member(user).since,
		}
		if newest := r.newest(); newest != nil {
			shown := newest.shown(r.id)
			own.Newest, own.ActiveAt = &shown, newest.receivedAt
		}
		all = append(all, own)
	}
	slices.SortFunc(all, func(a, b inbox.Room) int {
		if !a.ActiveAt.Equal(b.ActiveAt) {
			return b.ActiveAt.Compare(a.ActiveAt)
		}
		if a.Room.ID < b.Room.ID {
			return -1
		}
		return 1
	})
	return all
}

// newest returns the last message of the room that its feed knows, or nil.
func (r *room) newest() *message {
	inFeed := map[chat.MessageID]bool{}
	for _, b := range r.feed {
		for _, c := range b.changes {
			if c.Type.OfMessage() {
				inFeed[c.Message] = true
			}
		}
	}
	var newest *message
	for _, m := range r.messages {
		after := newest == nil || (chat.Position{At: m.receivedAt, ID: m.id}).Compare(chat.Position{At: newest.receivedAt, ID: newest.id}) > 0
		if inFeed[m.id] && after && m.inRoom() {
			newest = m
		}
	}
	return newest
}

// reading returns a user's read marker, and the number of messages after it. Messages from before
// the user joined, their own, blocked and deleted ones do not count. In a removed batch all count, because
// nobody knows them.
func (r *room) reading(user chat.UserID) inbox.Reading {
	read := r.marks[user]
	seen := read.count
	if m := r.member(user); m != nil {
		seen = max(seen, m.count)
	}
	deleted := map[chat.MessageID]bool{}
	for _, b := range r.feed {
		for _, c := range b.changes {
			if c.Type == feed.MessageDeleted && !b.removed {
				deleted[c.Message] = true
			}
		}
	}
	var created, unread int64
	for _, b := range r.feed {
		for _, c := range b.changes {
			if !c.CreatesInRoom() {
				continue
			}
			created++
			if created > seen && (b.removed || c.Message.User != user && !r.blocks[user][c.Message.User] && !deleted[c.Message]) {
				unread++
			}
		}
	}
	return inbox.Reading{Seq: read.seq, Unread: min(unread, maxUnread), Mentions: r.unreadMentions(user, read.seq)}
}

// changedSegments changes the changes by which unread messages are counted.
type changedSegments struct {
	store
	change func(*feed.Change)
}

func (b changedSegments) SegmentsBack(ctx context.Context, r feed.SegmentRange) ([]feed.Segment, bool, error) {
	segments, more, err := b.store.SegmentsBack(ctx, r)
	for i, s := range segments {
		segments[i].Changes = slices.Clone(s.Changes)
		for j := range s.Changes {
			b.change(&segments[i].Changes[j])
		}
	}
	return segments, more, err
}

func countsOwn(c *feed.Change) { c.Message.User = "nobody" }

func countsDeleted(c *feed.Change) {
	if c.Type == feed.MessageDeleted {
		c.Type = feed.MessageEdited
	}
}

// staleHeads keeps the first newest message of each room.
type staleHeads struct {
	store
	first firsts[chat.RoomID, feed.Newest]
}

func (b *staleHeads) FeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	heads, err := b.store.FeedHeads(ctx, rooms)
	for room, head := range heads {
		if head.Newest.Known() {
			head.Newest = b.first.of(room, head.Newest)
			heads[room] = head
		}
	}
	return heads, err
}
