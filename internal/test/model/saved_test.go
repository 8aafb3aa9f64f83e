package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/saved"
)

// savedIndex returns the place of a message in a person's saved ones, or -1.
func (m *model) savedIndex(user chat.UserID, in chat.RoomID, id chat.MessageID) int {
	return slices.IndexFunc(m.saved[user], func(e saved.Entry) bool { return e.Room == in && e.Message == id })
}

// save saves a message for a person, or repeats it.
func (w *world) save() error {
	in, id, m := w.randomTarget()
	caller := w.randomUser(in, policy.Read)
	w.note("%s saves %s of %s", caller, id, in)
	_, denied := w.model.enter(caller, in, policy.Read)
	switch {
	case denied != (refusal{}):
	case m == nil:
		denied = refused(chat.NotFound)
	case m.isDeleted():
		denied = refused(chat.Conflict)
	case w.model.savedIndex(caller, in, id) < 0:
		w.model.saved[caller] = append(w.model.saved[caller], saved.Entry{Room: in, Message: id, At: w.model.now()})
	}
	err := w.service(in).Saved.Save(w.ctx, caller, in, id)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// unsave removes a message from those that a person has saved.
func (w *world) unsave() error {
	in, id, _ := w.randomTarget()
	caller := w.randomUser(in, policy.Read)
	if all := w.model.saved[caller]; len(all) > 0 && w.percent(80) {
		e := oneOf(w, all...)
		in, id = e.Room, e.Message
	}
	w.note("%s removes %s of %s from those they saved", caller, id, in)
	_, denied := w.model.enter(caller, in, policy.Read)
	if i := w.model.savedIndex(caller, in, id); i >= 0 && denied == (refusal{}) {
		w.model.saved[caller] = slices.Delete(w.model.saved[caller], i, i+1)
	}
	err := w.service(in).Saved.Unsave(w.ctx, caller, in, id)
	return w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(err)})
}

// savedMessages lists what a person has saved: nothing that is deleted, and nothing of a room that
// they can no longer read.
func (w *world) savedMessages() error { return w.savedBy(oneOf(w, people...)) }

func (w *world) savedBy(user chat.UserID) error {
	w.note("%s lists what they saved", user)
	var want []saved.Saved
	for _, e := range w.model.saved[user] {
		if r, denied := w.model.enter(user, e.Room, policy.Read); denied == (refusal{}) && !r.find(e.Message).isDeleted() {
			want = append(want, saved.Saved{Entry: e, Current: r.find(e.Message).shown(e.Room)})
		}
	}
	service := w.service(missingRoom).Saved
	got, err := paged(1+w.rand.IntN(6), func(p chat.PageRequest) (chat.Page[saved.Saved], error) {
		return service.Saved(w.ctx, user, p)
	})
	newestFirst := slices.IsSortedFunc(got, func(a, b saved.Saved) int { return b.At.Compare(a.At) })
	for i := range got {
		got[i].Current.Digest = nil
	}
	for _, all := range [][]saved.Saved{want, got} { // messages saved in one millisecond have no order
		slices.SortFunc(all, func(a, b saved.Saved) int {
			return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Room, b.Room), strings.Compare(a.Message.String(), b.Message.String()))
		})
	}
	return w.agree(answer{Given: want, Flag: true}, answer{Refusal: refusalOf(err), Given: got, Flag: newestFirst})
}

// serviceBug is a store with a fault in the services of its process.
type serviceBug interface {
	connectServices(s *app.Services, o app.Options)
}

// shownSaved is a store whose list of saved messages does not ask who may read their rooms.
type shownSaved struct{ store }

func (b shownSaved) connectServices(s *app.Services, o app.Options) {
	rooms := chat.NewService(chat.Options{Store: openRooms{o.Store}, Clock: o.Clock})
	s.Saved = saved.NewService(o.Store.Table(), rooms, o.Store, o.Clock)
}

// openRooms is a store in which everyone is a member of every room.
type openRooms struct{ app.Stores }

func (r openRooms) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	m, err := r.Stores.Membership(ctx, room, user)
	m.Room, m.User, m.Role, m.Left = room, user, policy.Member, false
	return m, err
}
