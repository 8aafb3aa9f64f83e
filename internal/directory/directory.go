// Package directory lists public rooms by their places.
package directory

import (
	"context"
	"slices"
	"strings"

	"example.com/parley/internal/chat"
)

// Store reads the directory of public rooms.
type Store interface {
	// RoomsAt returns the public rooms at a place and below it, ordered by place and then by id.
	// It returns at most limit rooms, starting after a position. An empty place selects all. Rooms
	// that were created within about the last second may be missing.
	RoomsAt(ctx context.Context, place []string, after chat.ListPosition, limit int) (rooms []chat.Room, next chat.ListPosition, err error)
}

// Service lists public rooms. It is safe for concurrent use.
type Service struct{ store Store }

// NewService returns a service that reads from a store.
func NewService(store Store) *Service { return &Service{store: store} }

// RoomsAt lists the public rooms at a place and below it, from the country down. An empty place
// selects all of them. Every caller sees the same list.
//
// The error is Invalid for an invalid place, and otherwise as for chat.PageRequest.Read.
func (s *Service) RoomsAt(ctx context.Context, _ chat.UserID, place []string, page chat.PageRequest) (chat.Page[chat.Room], error) {
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
	rooms, next, err := s.store.RoomsAt(ctx, place, after, page.Limit)
	return chat.Page[chat.Room]{Items: rooms, Next: next.Cursor(scope)}, err
}

// placed reports whether the list of rooms at a place can contain a position.
func placed(p chat.ListPosition, place []string) bool {
	_, err := chat.ParseRoomID(p.ID)
	prefix := strings.Join(append(slices.Clone(place), ""), "#")
	return err == nil && strings.HasPrefix(p.Sort, prefix) && strings.HasSuffix("#"+p.Sort, "#"+p.ID)
}
