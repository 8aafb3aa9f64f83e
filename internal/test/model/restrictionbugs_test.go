package model

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

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
