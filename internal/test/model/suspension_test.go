package model

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/gate"
	"example.com/parley/internal/policy"
)

// suspend suspends a person, and ends it. In between no process takes a message of the person, nor an
// edit, and after it every process does: the state of the rooms shows what was stored.
func (w *world) suspend() error {
	user, in := oneOf(w, people...), w.randomRoom()
	by := w.services[w.rand.IntN(len(w.services))]
	w.note("%s is suspended, writes to %s, and is active again", user, in)
	stored, err := by.Accounts.Suspend(w.ctx, "desk", user, "spam")
	want := account.Suspension{At: w.model.now(), By: "desk", Reason: "spam"}
	if err != nil || stored != want {
		return fmt.Errorf("%s is suspended as %+v, %w, want %+v", user, stored, err, want)
	}
	for i, s := range w.services {
		if err := w.admitted(s, user, in); chat.KindOf(err) != chat.Suspended {
			return fmt.Errorf("process %d answers a suspended person with %w", i, err)
		}
	}
	if ended, err := by.Accounts.EndSuspension(w.ctx, "desk", user); !ended || err != nil {
		return fmt.Errorf("the suspension ended: %v, %w", ended, err)
	}
	for i, s := range w.services {
		if _, err := s.Accounts.Check(w.ctx, user); err != nil {
			return fmt.Errorf("process %d, after the end: %w", i, err)
		}
	}
	return nil
}

// admitted posts a message as the edge does: concurrently with the check, whose result is the
// answer.
func (w *world) admitted(s *app.Services, user chat.UserID, in chat.RoomID) error {
	gated, wait := gate.Start(w.ctx, func(ctx context.Context) error {
		_, err := s.Accounts.Check(ctx, user)
		return err
	})
	_, _, err := s.PostMessage(gated, user, in, chat.MessageDraft{Text: "from somebody who is suspended"})
	if refused := wait(); refused != nil {
		return refused
	}
	return err
}

// forgottenSuspensions is a store with a fault: it finds no suspension.
type forgottenSuspensions struct{ store }

func (b forgottenSuspensions) Account(context.Context, chat.UserID) (account.Account, error) {
	return account.Account{}, nil
}

// unguardedMessages is a store with a fault: messages are stored before it is known whether their
// sender is suspended.
type unguardedMessages struct{ store }

func (b unguardedMessages) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	ctx, wait := gate.Start(ctx, func(context.Context) error { return nil })
	stored, created, err := b.store.PutMessage(ctx, m)
	_ = wait()
	return stored, created, err
}

// endlessBans is a store with a fault: it forgets when bans end.
type endlessBans struct{ store }

func (b endlessBans) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	m, err := b.store.Membership(ctx, room, user)
	if m.Role == policy.Banned {
		m.Until = time.Time{}
	}
	return m, err
}

// forgottenRoles is a store with a fault: a muted person was a member.
type forgottenRoles struct{ store }

func (b forgottenRoles) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	m, err := b.store.Membership(ctx, room, user)
	if m.Role == policy.Muted && !m.Until.IsZero() {
		m.Restore = policy.Member
	}
	return m, err
}

// unlistedPeople is a store with a fault: lists have nobody who was banned, even after the end.
type unlistedPeople struct{ store }

func (b unlistedPeople) Members(ctx context.Context, room chat.RoomID, after chat.ListPosition, limit int) ([]chat.Membership, chat.ListPosition, error) {
	members, next, err := b.store.Members(ctx, room, after, limit)
	return slices.DeleteFunc(members, func(m chat.Membership) bool { return m.Role == policy.Banned }), next, err
}
