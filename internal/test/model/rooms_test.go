package model

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
)

func (w *world) setMember() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Administer)
	of := chat.MemberOf{Room: in, User: oneOf(w, people...)}
	role := oneOf(w, policy.Owner, policy.Moderator, policy.Member, policy.Member, policy.Muted, policy.Banned, policy.Banned)
	if w.percent(35) { // on their own behalf
		caller = of.User
		if w.percent(70) {
			role = policy.Member
		}
	}
	return w.setRole(caller, of, w.restriction(role))
}

// restrict lets an owner mute or ban somebody who is in the room, most often for a short time.
func (w *world) restrict() error {
	in := w.randomRoom()
	r := w.model.rooms[in]
	if r == nil || len(r.shownMembers()) == 0 {
		return nil
	}
	of := chat.MemberOf{Room: in, User: oneOf(w, r.shownMembers()...).User}
	return w.setRole(w.randomUser(in, policy.Configure), of, w.restriction(oneOf(w, policy.Muted, policy.Banned)))
}

// setRole gives a user a role, with an end and a reason if it has some.
func (w *world) setRole(caller chat.UserID, of chat.MemberOf, given membership.Restriction) error {
	in, role := of.Room, given.Role
	w.note("%s sets %s to %s in %s, until %s", caller, of.User, role, in, given.Until)
	added, denied := w.model.setMember(caller, of, given)
	var want chat.Membership
	if denied == (refusal{}) {
		want = w.model.rooms[in].shownMember(of.User)
	}
	members := w.service(in).Members
	if given != (membership.Restriction{Role: role}) {
		got, gotAdded, err := members.Restrict(w.ctx, caller, of, given)
		return w.agree(answer{denied, want, added}, answer{refusalOf(err), got, gotAdded})
	}
	got, gotAdded, err := members.SetMember(w.ctx, caller, of, role)
	return w.agree(answer{denied, want, added}, answer{refusalOf(err), got, gotAdded})
}

// restriction returns a mute or ban that ends soon, or only the role. A few ends are invalid.
func (w *world) restriction(role policy.Role) membership.Restriction {
	r := membership.Restriction{Role: role}
	if role != policy.Muted && role != policy.Banned || w.percent(20) {
		return r
	}
	in := oneOf(w, time.Millisecond, time.Second, time.Second, time.Minute, time.Hour, maxRestriction)
	if w.percent(4) {
		in = oneOf(w, 0, -time.Second, maxRestriction+time.Millisecond)
	}
	r.Until, r.Reason = w.model.now().Add(in), oneOf(w, "", "spam", "noise")
	return r
}

// bans lists the people who are banned from a room.
func (w *world) bans() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Audit)
	w.note("%s lists the bans of %s", caller, in)
	r, denied := w.model.enter(caller, in, policy.Audit)
	var want []chat.Membership
	if r != nil {
		want = r.shownBans()
	}
	service := w.service(in)
	got, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[chat.Membership], error) {
		return service.Members.Bans(w.ctx, caller, in, p)
	})
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// shownBans returns all bans that are in effect, by name.
func (r *room) shownBans() []chat.Membership {
	var all []chat.Membership
	for _, user := range slices.Sorted(slices.Values(people)) {
		if m := r.member(user); m != nil && m.role == policy.Banned {
			all = append(all, r.shownMember(user))
		}
	}
	return all
}

func (w *world) removeMember() error {
	in := w.randomRoom()
	of := chat.MemberOf{Room: in, User: oneOf(w, people...)}
	caller := of.User
	if w.percent(60) {
		caller = w.randomUser(in, policy.Administer)
	}
	w.note("%s removes %s from %s", caller, of.User, in)
	denied := w.model.removeMember(caller, of)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(w.service(in).Members.RemoveMember(w.ctx, caller, of))})
}

func (w *world) handOver() error {
	in := w.randomRoom()
	caller, of := w.randomUser(in, policy.Configure), chat.MemberOf{Room: in, User: oneOf(w, people...)}
	w.note("%s hands %s over to %s", caller, in, of.User)
	denied := w.model.handOver(caller, of)
	var want chat.Membership
	if denied == (refusal{}) {
		want = w.model.rooms[in].shownMember(of.User)
	}
	got, err := w.service(in).Members.HandOver(w.ctx, caller, of)
	if want.Role == policy.Owner && got.User == of.User {
		got.Name = want.Name
	}
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// members lists the members of a room.
func (w *world) members() error {
	in := w.randomRoom()
	return w.membersOf(w.randomUser(in, policy.See), in)
}

func (w *world) membersOf(caller chat.UserID, in chat.RoomID) error {
	w.note("%s lists the members of %s", caller, in)
	r, denied := w.model.enter(caller, in, policy.See)
	var want []chat.Membership
	if r != nil {
		want = r.shownMembers()
		for i, m := range want {
			if m.User != caller && r.role(caller) < policy.Moderator {
				want[i].Reason = ""
			}
		}
	}
	service := w.service(in)
	got, err := paged(1+w.rand.IntN(4), func(p chat.PageRequest) (chat.Page[chat.Membership], error) {
		return service.Members.Members(w.ctx, caller, in, p)
	})
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got}); err != nil || r == nil {
		return err
	}
	receipts, err := w.receiptsIn(service, caller, in, got)
	return w.agree(answer{Given: r.shownReceipts(caller)}, answer{Refusal: refusalOf(err), Given: receipts})
}

// paged reads all pages of a list.
func paged[T any](limit int, read func(chat.PageRequest) (chat.Page[T], error)) ([]T, error) {
	var all []T
	for cursor := ""; ; {
		page, err := read(chat.PageRequest{Limit: limit, Cursor: cursor})
		if err != nil {
			return nil, err
		}
		if len(page.Items) > limit {
			return nil, fmt.Errorf("a page with limit %d has %d items", limit, len(page.Items))
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

func (w *world) getRoom() error {
	in := w.randomRoom()
	return w.roomAs(w.randomUser(in, policy.See), in)
}

func (w *world) roomAs(caller chat.UserID, in chat.RoomID) error {
	w.note("%s gets room %s", caller, in)
	r, denied := w.model.enter(caller, in, policy.See)
	var want chat.Room
	if r != nil {
		want = r.shownTo(caller)
	}
	service := w.service(in)
	got, err := service.Room(w.ctx, caller, in)
	got.Room.DigestKey = nil
	if err := w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got.Room}); err != nil || r == nil {
		return err
	}
	return w.ownReading(service, r, got)
}

// ownReading compares the caller's reading of a room.
func (w *world) ownReading(service *app.Services, r *room, a chat.Access) error {
	var want inbox.Reading
	isMember := r.isMember(a.Membership.User)
	if isMember {
		want = r.reading(a.Membership.User)
	}
	got, ok, err := service.Inbox.ReadingOf(w.ctx, a)
	return w.agree(answer{refusal{}, want, isMember}, answer{refusalOf(err), got, ok})
}

// putRoom creates a room or changes its settings.
func (w *world) putRoom() error {
	id := oneOf(w, w.public...)
	if w.percent(30) {
		id = w.randomRoom()
	}
	if id == missingRoom {
		id = "p-00000000000000000000" // does not exist
	}
	caller := w.randomUser(id, policy.Configure)
	draft := w.draft()
	if w.model.rooms[id] == nil || w.percent(20) {
		draft.Shards = new(w.rand.IntN(9)) // 0 leaves the number to the rate
	}
	if id.Private() {
		draft.Place = nil
	}
	draft.If = w.precondition(id)
	return w.put(caller, id, draft)
}

// patchRoom changes a room.
func (w *world) patchRoom() error {
	id := w.randomRoom()
	caller, draft := w.randomUser(id, policy.Configure), w.draft()
	if id.Private() {
		draft.Place = nil
	}
	draft.If = w.precondition(id)
	w.note("%s patches %s %s", caller, id, draftText(draft))
	service := w.process(id)
	denied := w.model.patchRoom(caller, id, draft)
	var want chat.Room
	if denied == (refusal{}) {
		want = w.model.rooms[id].shown()
		w.recentChanges[id] = settingsChange{service, w.clock.now().Add(cacheAge)}
	}
	got, err := w.services[service].PatchRoom(w.ctx, caller, id, draft)
	got.DigestKey = nil
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// put puts a room with a draft.
func (w *world) put(caller chat.UserID, id chat.RoomID, draft chat.RoomDraft) error {
	draft.SystemMessages = new(false) // which the model does not have
	w.note("%s puts %s %s", caller, id, draftText(draft))
	service := w.process(id)
	wantCreated, denied := w.model.putRoom(caller, id, draft)
	var want chat.Room
	if denied == (refusal{}) {
		want = w.model.rooms[id].shown()
		w.recentChanges[id] = settingsChange{service, w.clock.now().Add(cacheAge)}
	}
	got, created, err := w.services[service].PutRoom(w.ctx, caller, id, draft)
	got.DigestKey = nil
	return w.agree(answer{denied, want, wantCreated}, answer{refusalOf(err), got, created})
}

// archive archives a room that exists, and posts there once every process knows. Most often it then
// unarchives the room, so that other operations find few archived ones.
func (w *world) archive() error {
	all := w.roomIDs()
	if len(all) == 0 {
		return nil
	}
	in := oneOf(w, all...)
	owner, author := w.randomUser(in, policy.Configure), w.randomUser(in, policy.Post)
	if err := w.put(owner, in, chat.RoomDraft{Archived: new(true)}); err != nil {
		return err
	}
	w.readStream()
	w.clock.advance(cacheAge)
	if err := w.post(postRequest{author, in, chat.MessageDraft{UUID: w.randomUUID(), Text: w.randomText()}}); err != nil || w.percent(10) {
		return err
	}
	return w.put(owner, in, chat.RoomDraft{Archived: new(false)})
}

// unseenArchives is a store with a fault: it reads archived rooms as open, so its process accepts
// messages there.
type unseenArchives struct{ store }

func (b unseenArchives) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	r, err := b.store.Room(ctx, id)
	r.Archived = false
	return r, err
}

// inOneProcess returns an inject function that injects a fault into the first process of each
// world only.
func inOneProcess(inject func(store) store) func(store) store {
	n := -1
	return func(s store) store {
		if n++; n%processes == 0 {
			return inject(s)
		}
		return s
	}
}
