package model

import (
	"fmt"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

func (w *world) setMember() error {
	in := w.somewhere()
	caller := w.someone(in, policy.Administer)
	of := chat.MemberOf{Room: in, User: oneOf(w, people...)}
	role := oneOf(w, policy.Owner, policy.Moderator, policy.Member, policy.Member, policy.Member, policy.Muted, policy.Banned)
	if w.percent(35) { // by themself
		caller = of.User
		if w.percent(70) {
			role = policy.Member
		}
	}
	w.note("%s makes %s %s of %s", caller, of.User, role, in)
	added, no := w.model.setMember(caller, of, role)
	var want chat.Membership
	if no == (refusal{}) {
		want = w.model.rooms[in].shownMember(of.User)
	}
	got, gotAdded, err := w.service(in).SetMember(w.ctx, caller, of, role)
	return w.agree(answer{no, want, added}, answer{refusalOf(err), got, gotAdded})
}

func (w *world) removeMember() error {
	in := w.somewhere()
	of := chat.MemberOf{Room: in, User: oneOf(w, people...)}
	caller := of.User
	if w.percent(60) {
		caller = w.someone(in, policy.Administer)
	}
	w.note("%s removes %s from %s", caller, of.User, in)
	no := w.model.removeMember(caller, of)
	return w.agree(answer{Refusal: no}, answer{Refusal: refusalOf(w.service(in).RemoveMember(w.ctx, caller, of))})
}

// members lists who is in a room.
func (w *world) members() error {
	in := w.somewhere()
	return w.membersOf(w.someone(in, policy.See), in)
}

func (w *world) membersOf(caller chat.UserID, in chat.RoomID) error {
	w.note("%s lists the members of %s", caller, in)
	r, no := w.model.enter(caller, in, policy.See)
	var want []chat.Membership
	if r != nil {
		want = r.shownMembers()
	}
	service := w.service(in)
	got, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[chat.Membership], error) {
		return service.Members(w.ctx, caller, in, p)
	})
	return w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// paged reads a list to its end.
func paged[T any](limit int, read func(chat.PageRequest) (chat.Page[T], error)) ([]T, error) {
	var all []T
	for cursor := ""; ; {
		page, err := read(chat.PageRequest{Limit: limit, Cursor: cursor})
		if err != nil {
			return nil, err
		}
		if len(page.Items) > limit {
			return nil, fmt.Errorf("a page of %d holds %d", limit, len(page.Items))
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

// ownRooms lists somebody's rooms, with what is unread there.
func (w *world) ownRooms() error {
	user := oneOf(w, people...)
	if w.percent(3) {
		_, err := w.service(nowhere).Feed.RoomsOf(w.ctx, user, "other", chat.PageRequest{Limit: 1})
		return w.agree(answer{Refusal: refused(chat.Forbidden)}, answer{Refusal: refusalOf(err)})
	}
	return w.roomsOf(user)
}

func (w *world) roomsOf(user chat.UserID) error {
	w.note("%s lists their rooms", user)
	service := w.service(nowhere)
	got, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[feed.OwnRoom], error) {
		return service.Feed.RoomsOf(w.ctx, user, user, p)
	})
	return w.agree(answer{Given: w.model.roomsOf(user)}, answer{Refusal: refusalOf(err), Given: got})
}

func (w *world) getRoom() error {
	in := w.somewhere()
	return w.roomAs(w.someone(in, policy.See), in)
}

func (w *world) roomAs(caller chat.UserID, in chat.RoomID) error {
	w.note("%s looks at %s", caller, in)
	r, no := w.model.enter(caller, in, policy.See)
	var want chat.Room
	if r != nil {
		want = r.shown()
		if r.role(caller) != policy.Owner {
			want.Shards = 0
		}
	}
	got, err := w.service(in).Room(w.ctx, caller, in)
	got.DigestKey = nil
	return w.agree(answer{Refusal: no, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// putRoom makes a room or changes its settings.
func (w *world) putRoom() error {
	id := oneOf(w, publicRooms...)
	if w.percent(30) {
		id = w.somewhere()
	}
	if id == nowhere {
		id = "p-00000000000000000000" // nobody made this one
	}
	caller := w.someone(id, policy.Configure)
	draft := w.draft()
	if w.model.rooms[id] == nil || w.percent(5) {
		draft.Shards = new(1 + w.rand.IntN(8))
	}
	if id.Private() {
		draft.Place = nil
	}
	w.note("%s puts %s %s", caller, id, draftText(draft))
	service := w.rand.IntN(processes)
	if s, ok := w.settled[id]; ok && w.clock.now().Before(s.until) {
		service = s.service
	}
	made, no := w.model.putRoom(caller, id, draft)
	var want chat.Room
	if no == (refusal{}) {
		want = w.model.rooms[id].shown()
		w.settled[id] = settling{service, w.clock.now().Add(cacheAge)}
	}
	got, created, err := w.services[service].PutRoom(w.ctx, caller, id, draft)
	got.DigestKey = nil
	return w.agree(answer{no, want, made}, answer{refusalOf(err), got, created})
}

// makePrivate makes a private room, as long as there are few.
func (w *world) makePrivate() error {
	made := 0
	for id := range w.model.rooms {
		if id.Private() {
			made++
		}
	}
	if made >= privateRooms {
		return nil
	}
	caller, draft := oneOf(w, people...), w.draft()
	draft.Name, draft.Place, draft.Shards = new("private"), nil, new(1+w.rand.IntN(8))
	w.note("%s makes a private room %s", caller, draftText(draft))
	got, err := w.service(nowhere).CreatePrivateRoom(w.ctx, caller, draft)
	if err != nil {
		return err
	}
	if !got.ID.Private() || w.model.rooms[got.ID] != nil {
		return fmt.Errorf("the engine made the room %s", got.ID)
	}
	w.model.makeRoom(caller, &room{id: got.ID, private: true}, draft)
	got.DigestKey = nil
	return w.agree(answer{Given: w.model.rooms[got.ID].shown()}, answer{Given: got})
}
