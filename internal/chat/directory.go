package chat

import (
	"context"
	"slices"
	"strings"
)

// DirectoryStore reads the directory of public rooms.
type DirectoryStore interface {
	// RoomsAt returns the public rooms at a place and below it, ordered by place and then by id.
	// It returns at most limit rooms, starting after a position. An empty place selects all. Rooms
	// that were created within about the last second may be missing.
	RoomsAt(ctx context.Context, place []string, after ListPosition, limit int) (rooms []Room, next ListPosition, err error)
}

// Directory lists public rooms. It is safe for concurrent use.
type Directory struct{ store DirectoryStore }

// NewDirectory returns a service that reads from a store.
func NewDirectory(store DirectoryStore) *Directory { return &Directory{store: store} }

// RoomsAt lists the public rooms at a place and below it, from the country down. An empty place
// selects all of them. Every caller sees the same list.
//
// The error is Invalid for an invalid place, and otherwise as for chat.PageRequest.Read.
func (s *Directory) RoomsAt(ctx context.Context, _ UserID, place []string, page PageRequest) (Page[Room], error) {
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
	rooms, next, err := s.store.RoomsAt(ctx, place, after, page.Limit)
	return Page[Room]{Items: rooms, Next: next.Cursor(scope)}, err
}

// placed reports whether the list of rooms at a place can contain a position.
func placed(p ListPosition, place []string) bool {
	_, err := ParseRoomID(p.ID)
	prefix := strings.Join(append(slices.Clone(place), ""), "#")
	return err == nil && strings.HasPrefix(p.Sort, prefix) && strings.HasSuffix("#"+p.Sort, "#"+p.ID)
}
