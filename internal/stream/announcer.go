package stream

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// SystemMessages reads and writes the system messages of rooms.
type SystemMessages interface {
	// SystemMessage returns what a message reports, its revision and whether it is deleted, but
	// not its text. found is false if there is none. The error is NotFound if the room is
	// deleted.
	SystemMessage(ctx context.Context, room chat.RoomID, id chat.MessageID) (m chat.Message, found bool, err error)
	// PutSystemMessage creates a system message, or replaces it by its next revision. It reports
	// whether the message was at the revision before. After a lost answer it may report false
	// for its own change.
	PutSystemMessage(ctx context.Context, m chat.Message) (ok bool, err error)
}

// Announcer writes the system messages about people who join. It is a Projection.
//
// The id of a message follows from its room, hour and sender, and a message lists each person
// once. So joins may arrive again, in any order, and in several processes. Other changes of a
// room are stored in one transaction with their message.
type Announcer struct{ store SystemMessages }

// NewAnnouncer returns an announcer.
func NewAnnouncer(store SystemMessages) *Announcer { return &Announcer{store} }

// Project adds each person who joined to the message of the hour. That costs 1 read unit and 2
// write units, and no write once the message lists as many people as it can.
func (a *Announcer) Project(ctx context.Context, w feed.RoomChanges) error {
	for _, j := range w.Joins {
		if err := a.announce(ctx, w.Room, j); err != nil && chat.KindOf(err) != chat.NotFound { // the room is deleted
			return err
		}
	}
	return nil
}

func (a *Announcer) announce(ctx context.Context, room chat.RoomID, j feed.Join) error {
	first := chat.JoinMessage(chat.MemberOf{Room: room, User: j.By}, j.User, j.Added, j.At)
	for range chat.MaxChangeTries {
		stored, found, err := a.store.SystemMessage(ctx, room, first.ID)
		if err != nil {
			return err
		}
		next, changed := first, true
		if found {
			next, changed = first.After(stored, j.User)
		}
		if !changed {
			return nil
		}
		if ok, err := a.store.PutSystemMessage(ctx, next); ok || err != nil {
			return err
		}
	}
	return chat.TooBusy()
}
