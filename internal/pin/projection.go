package pin

import (
	"context"
	"slices"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Projection unpins messages that were deleted. It implements stream.Projection.
type Projection struct{ store Unpinner }

// Unpinner is the part of a Store that a Projection needs.
type Unpinner interface {
	// Unpin is as in Store.
	Unpin(ctx context.Context, room chat.RoomID, id chat.MessageID) (removed bool, err error)
	// Pins is as in Store.
	Pins(ctx context.Context, room chat.RoomID, recent bool) ([]Pin, error)
}

// NewProjection returns a projection.
func NewProjection(store Unpinner) *Projection { return &Projection{store} }

// Project unpins the messages that the entries delete. It reads the room's pins once if there is a
// deletion, and writes only for those that are pinned.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	isDeletion := func(e feed.AppendedEntry) bool { return e.Type == feed.MessageDeleted }
	if !slices.ContainsFunc(w.Entries, isDeletion) {
		return nil
	}
	pins, err := d.store.Pins(ctx, w.Room, true)
	if err != nil {
		return err
	}
	for _, e := range w.Entries {
		pinned := func(p Pin) bool { return p.Message == e.Message }
		if !isDeletion(e) || !slices.ContainsFunc(pins, pinned) {
			continue
		}
		if _, err := d.store.Unpin(ctx, w.Room, e.Message); err != nil {
			return err
		}
	}
	return nil
}
