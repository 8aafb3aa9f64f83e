package pin

import (
	"context"
	"slices"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
)

// Projection unpins messages that were deleted. It implements stream.Projection.
type Projection struct{ table *dynamo.Table }

// NewProjection returns a projection.
func NewProjection(t *dynamo.Table) *Projection { return &Projection{t} }

// Project unpins the messages that the entries delete. If there is a deletion, it reads the room's
// pins once. It writes only for pinned messages.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	isDeletion := func(e feed.AppendedEntry) bool { return e.Type == feed.MessageDeleted }
	if !slices.ContainsFunc(w.Entries, isDeletion) {
		return nil
	}
	pins, err := Read(ctx, d.table, w.Room, dynamo.Strong)
	if err != nil {
		return err
	}
	for _, e := range w.Entries {
		pinned := func(p Pin) bool { return p.Message == e.Message }
		if !isDeletion(e) || !slices.ContainsFunc(pins, pinned) {
			continue
		}
		if _, err := Remove(ctx, d.table, w.Room, e.Message); err != nil {
			return err
		}
	}
	return nil
}
