package chat

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/policy"
)

// RoomsAt lists the public rooms at a place and below it, from the country down. An empty place
// selects all of them. It leaves out rooms that have banned the caller, so a page may have fewer
// rooms than its limit.
//
// The error is Invalid for an invalid place, and otherwise as for PageRequest.Read.
func (s *Service) RoomsAt(
	ctx context.Context, caller UserID, place []string, page PageRequest,
) (Page[Room], error) {
	if err := CheckPlace(place); err != nil {
		return Page[Room]{}, err
	}
	scope := NewCursorScope("rooms")
	for _, level := range place {
		scope = scope.Text(level)
	}
	after, err := page.After(scope, func(p ListPosition) bool { return placed(p, place) })
	if err != nil {
		return Page[Room]{}, err
	}
	var rooms []Room
	var next ListPosition
	var bans []Membership
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
		return Page[Room]{}, err
	}
	now := s.clock()
	rooms = slices.DeleteFunc(rooms, func(r Room) bool {
		return slices.ContainsFunc(
			bans, func(b Membership) bool { return b.Room == r.ID && b.RoleIn(r, now) == policy.Banned },
		)
	})
	return Page[Room]{Items: rooms, Next: next.Cursor(scope)}, nil
}

// placed reports whether the list of rooms at a place can contain a position.
func placed(p ListPosition, place []string) bool {
	_, err := ParseRoomID(p.ID)
	prefix := strings.Join(append(slices.Clone(place), ""), "#")
	return err == nil && strings.HasPrefix(p.Sort, prefix) && strings.HasSuffix("#"+p.Sort, "#"+p.ID)
}
