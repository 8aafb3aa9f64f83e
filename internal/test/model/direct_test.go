package model

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
)

// directRooms are the people of the direct rooms of a run, in order. They are few, so that the same
// people often open a room again.
var directRooms = [][]chat.UserID{{"al", "bob"}, {"al", "bob", "zed"}}

// openDirectRoom opens a direct room as one of its people.
func (w *world) openDirectRoom() error {
	people := oneOf(w, directRooms...)
	caller := oneOf(w, people...)
	var others []string
	for _, user := range people {
		if user != caller {
			others = append(others, string(user))
		}
	}
	w.note("%s opens a direct room with %v", caller, others)
	want := w.model.directRoom(people)
	in := missingRoom
	if want != nil {
		in = want.id
	}
	got, created, err := w.service(in).Direct.PostRoom(w.ctx, caller, others)
	if err != nil {
		return err
	}
	if isNew := want == nil; isNew {
		want = w.model.createDirectRoom(caller, got.ID, people)
	} else {
		w.model.bringBack(caller, want)
	}
	shown := want.shownTo(caller)
	got.DigestKey = nil
	return w.agree(answer{Given: shown, Flag: in == missingRoom}, answer{Given: got, Flag: created})
}

// directRoom returns the direct room of some people, or nil.
func (m *model) directRoom(people []chat.UserID) *room {
	for _, r := range m.rooms {
		if slices.Equal(r.direct, people) {
			return r
		}
	}
	return nil
}

func (m *model) createDirectRoom(caller chat.UserID, id chat.RoomID, people []chat.UserID) *room {
	r := &room{
		id: id, private: true, direct: people, createdBy: caller, createdAt: m.now(), spread: spread{shards: 1}, now: m.now, blocks: m.blocks,
		members: map[chat.UserID]*member{}, slots: map[chat.UserID]time.Time{}, marks: map[chat.UserID]mark{}, receipts: map[chat.UserID]inbox.Receipt{},
		prefers: map[chat.UserID]inbox.Preferences{},
	}
	m.rooms[id] = r
	m.emit(r, feed.Change{Type: feed.RoomChanged})
	m.bringBack(caller, r)
	return r
}

// bringBack makes everyone a member of a direct room who is not.
func (m *model) bringBack(caller chat.UserID, r *room) {
	for _, user := range r.direct {
		if !r.isMember(user) {
			r.members[user] = &member{role: policy.Member, since: m.now(), count: r.createdCount()}
			if user != caller {
				r.members[user].by = caller
			}
			m.emit(r, feed.Change{Type: feed.MemberChanged, User: user})
		}
	}
}

// absentPeople is a store with a fault: a rejoining person is forgotten.
type absentPeople struct{ store }

func (b absentPeople) RejoinDirectRoom(ctx context.Context, before direct.Record, back []direct.Return) (bool, error) {
	return b.store.RejoinDirectRoom(ctx, before, back[1:])
}

// forgottenRecords is a store with a fault: a direct room is found under a wrong key.
type forgottenRecords struct{ store }

func (b forgottenRecords) DirectRoom(ctx context.Context, people []chat.UserID) (direct.Record, bool, error) {
	return b.store.DirectRoom(ctx, []chat.UserID{people[0], "nobody"})
}

func (b forgottenRecords) CreateDirectRoom(ctx context.Context, room chat.Room, members []chat.Membership) (bool, error) {
	people := room.Direct
	room.Direct = []chat.UserID{people[0], chat.UserID(room.ID)}
	return b.store.CreateDirectRoom(ctx, room, members)
}
