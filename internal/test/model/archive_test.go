package model

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

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
