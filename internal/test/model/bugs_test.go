package model

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"parley/internal/chat"
	"parley/internal/policy"
)

// enough is how many operations surely show any of the faults, and bugSeeds how many runs
// there are to show it in.
const (
	enough   = 2000
	bugSeeds = 3
)

func TestModel_CatchesEachSeededBug(t *testing.T) {
	t.Parallel()
	for name, spoil := range bugs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(bugSeeds) {
				w := newWorld(t, seed, spoil)
				if err := w.run(enough); err != nil {
					t.Logf("caught after %d operations of seed %d", w.done, seed)
					return
				}
			}
			t.Errorf("%d runs of %d operations did not show it", bugSeeds, enough)
		})
	}
}

// bugs are stores that do wrong in one way, each under what it does. The two processes of a world have
// one each.
func bugs() map[string]func(store) store {
	return map[string]func(store) store{
		"a message is acknowledged and not kept":          func(s store) store { return &lostMessages{store: s} },
		"a retry is kept as another message":              func(s store) store { return doubled{s} },
		"a retry is answered as new":                      func(s store) store { return forgetful{s} },
		"a retry of an edited message is refused":         func(s store) store { return digestless{s} },
		"an edit leaves the revision as it was":           func(s store) store { return unrevised{s} },
		"a deletion leaves the texts of versions":         func(s store) store { return &indelible{store: s, texts: map[version]string{}} },
		"a message is read as it once was":                func(s store) store { return &stale{store: s, once: map[chat.MessageID]chat.Message{}} },
		"a cursor repeats the message that it stands on":  func(s store) store { return repeating{s} },
		"a cursor passes over those of its millisecond":   func(s store) store { return skipping{s} },
		"a full page is taken for the last":               func(s store) store { return endless{s} },
		"a mark moves back":                               func(s store) store { return slipping{s} },
		"who comes late has everything unread":            func(s store) store { return uncounted{s} },
		"a ban is a removal":                              func(s store) store { return lenient{s} },
		"who was removed is known for a while":            func(s store) store { return &slow{store: s, known: map[chat.MemberOf]chat.Membership{}} },
		"settings of a room are never read again":         func(s store) store { return &settled{store: s, rooms: map[chat.RoomID]chat.Room{}} },
		"slow mode is not kept":                           func(s store) store { return hasty{s} },
		"the feed loses the last change of a batch":       func(s store) store { return cutting{s} },
		"the feed takes a number before it has written":   func(s store) store { return &leaping{store: s} },
		"the feed does not see what another has told":     func(s store) store { return blind{s} },
		"the feed writes over what another has written":   func(s store) store { return &deaf{store: s} },
		"changes leave out the first of a second segment": func(s store) store { return &holed{s} },
		"changes go on from what has expired":             func(s store) store { return undying{s} },
		"changes bring a message as it once was":          func(s store) store { return &reminiscent{store: s, once: map[chat.MessageID]chat.Message{}} },
		"a page's position does not allow for the index":  func(s store) store { return rash{s} },
		"numbers of a removed feed begin anew":            func(s store) store { return headless{s} },
	}
}

type lostMessages struct {
	store
	n int
}

func (b *lostMessages) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	if b.n++; b.n%20 == 0 {
		return m, true, nil
	}
	return b.store.PutMessage(ctx, m)
}

type doubled struct{ store }

func (b doubled) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	kept, created, err := b.store.PutMessage(ctx, m)
	if err == nil && !created {
		m.ID.UUID = uuid.Must(uuid.NewV7())
		_, _, err = b.store.PutMessage(ctx, m)
	}
	return kept, created, err
}

type forgetful struct{ store }

func (b forgetful) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	kept, _, err := b.store.PutMessage(ctx, m)
	return kept, true, err
}

type digestless struct{ store }

func (b digestless) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	kept, created, err := b.store.PutMessage(ctx, m)
	if kept.Revision > 1 {
		kept.Digest = nil
	}
	return kept, created, err
}

type unrevised struct{ store }

func (b unrevised) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	if !after.Deleted() && after.Revision%3 == 0 {
		after.Revision--
	}
	return b.store.ReviseMessage(ctx, before, after)
}

// version names a text of a message.
type version struct {
	id     chat.MessageID
	number int
}

type indelible struct {
	store
	texts map[version]string
}

func (b *indelible) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	b.texts[version{before.ID, before.Revision}] = before.Text
	return b.store.ReviseMessage(ctx, before, after)
}

func (b *indelible) MessageVersions(ctx context.Context, newest chat.MessageVersion, limit int) ([]chat.MessageVersion, error) {
	all, err := b.store.MessageVersions(ctx, newest, limit)
	for i, v := range all {
		if v.Text == "" {
			all[i].Text = b.texts[version{v.ID, v.Number}]
		}
	}
	return all, err
}

type stale struct {
	store
	once map[chat.MessageID]chat.Message
}

func (b *stale) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	if m, ok := b.once[id]; ok && m.Room == room {
		return m, nil
	}
	m, err := b.store.Message(ctx, room, id)
	if err == nil {
		b.once[id] = m
	}
	return m, err
}

type repeating struct{ store }

func (b repeating) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	if span.After != nil {
		step := time.Millisecond
		if span.Order == chat.Oldest {
			step = -step
		}
		span.After = &chat.Position{At: span.After.At.Add(step), ID: span.After.ID}
	}
	return b.store.Messages(ctx, span)
}

type skipping struct{ store }

func (b skipping) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	if span.After != nil && span.Order == chat.Oldest {
		last := chat.MessageID{User: "~", UUID: uuid.Max}
		span.After = &chat.Position{At: span.After.At, ID: last}
	}
	return b.store.Messages(ctx, span)
}

type endless struct{ store }

func (b endless) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	page, more, err := b.store.Messages(ctx, span)
	return page, more && len(page) != 7, err
}

type uncounted struct{ store }

func (b uncounted) ChangeMembership(ctx context.Context, c chat.MemberChange) (bool, error) {
	c.After.Count = 0
	return b.store.ChangeMembership(ctx, c)
}

type lenient struct{ store }

func (b lenient) ChangeMembership(ctx context.Context, c chat.MemberChange) (bool, error) {
	if c.After.Role == policy.Banned && c.After.Room != "" && c.Before.Room != "" {
		c.After = chat.Membership{}
	}
	return b.store.ChangeMembership(ctx, c)
}

type slow struct {
	store
	mu    sync.Mutex
	known map[chat.MemberOf]chat.Membership
}

func (b *slow) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := chat.MemberOf{Room: room, User: user}
	if m, ok := b.known[of]; ok && len(b.known) < 8 {
		return m, nil
	}
	m, err := b.store.Membership(ctx, room, user)
	if len(b.known) >= 8 {
		clear(b.known)
	}
	b.known[of] = m
	return m, err
}

type settled struct {
	store
	mu    sync.Mutex
	rooms map[chat.RoomID]chat.Room
}

func (b *settled) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.rooms[id]; ok {
		return r, nil
	}
	r, err := b.store.Room(ctx, id)
	if err == nil {
		b.rooms[id] = r
	}
	return r, err
}

type hasty struct{ store }

func (b hasty) TakeSlot(context.Context, chat.Slot) (time.Duration, error) { return 0, nil }
