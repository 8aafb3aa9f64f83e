// Package directory lists public rooms by their places.
package directory

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// Store reads the directory of public rooms.
type Store interface {
	// RoomsAt returns the public rooms at a place and below it, ordered by place and then by id.
	// It returns at most limit rooms, starting after a position. An empty place selects all. Rooms
	// that were created within about the last second may be missing.
	RoomsAt(
		ctx context.Context, place []string, after chat.ListPosition, limit int,
	) (rooms []chat.Room, next chat.ListPosition, err error)
	// BansOf returns the stored bans of a user in all rooms, including bans that have ended.
	BansOf(ctx context.Context, user chat.UserID) ([]chat.Membership, error)
}

// Service lists public rooms. It is safe for concurrent use.
type Service struct {
	store Store
	clock func() time.Time
}

// NewService returns a service that reads from a store.
func NewService(store Store, clock func() time.Time) *Service {
	return &Service{store: store, clock: clock}
}

// RoomsAt lists the public rooms at a place and below it, from the country down. An empty place
// selects all of them. It leaves out rooms that have banned the caller, so a page may have fewer
// rooms than its limit.
//
// The error is Invalid for an invalid place, and otherwise as for chat.PageRequest.Read.
func (s *Service) RoomsAt(
	ctx context.Context, caller chat.UserID, place []string, page chat.PageRequest,
) (chat.Page[chat.Room], error) {
	if err := chat.CheckPlace(place); err != nil {
		return chat.Page[chat.Room]{}, err
	}
	scope := chat.NewCursorScope("rooms")
	for _, level := range place {
		scope = scope.Text(level)
	}
	after, err := page.After(scope, func(p chat.ListPosition) bool { return placed(p, place) })
	if err != nil {
		return chat.Page[chat.Room]{}, err
	}
	var rooms []chat.Room
	var next chat.ListPosition
	var bans []chat.Membership
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		rooms, next, err = s.store.RoomsAt(ctx, place, after, page.Limit)
		return err
	})
	both.Go(func() (err error) {
		bans, err = s.store.BansOf(ctx, caller)
		return err
	})
	if err := both.Wait(); err != nil {
		return chat.Page[chat.Room]{}, err
	}
	now := s.clock()
	rooms = slices.DeleteFunc(rooms, func(r chat.Room) bool {
		return slices.ContainsFunc(
			bans, func(b chat.Membership) bool { return b.Room == r.ID && b.RoleIn(r, now) == policy.Banned },
		)
	})
	return chat.Page[chat.Room]{Items: rooms, Next: next.Cursor(scope)}, nil
}

// placed reports whether the list of rooms at a place can contain a position.
func placed(p chat.ListPosition, place []string) bool {
	_, err := chat.ParseRoomID(p.ID)
	prefix := strings.Join(append(slices.Clone(place), ""), "#")
	return err == nil && strings.HasPrefix(p.Sort, prefix) && strings.HasSuffix("#"+p.Sort, "#"+p.ID)
}
