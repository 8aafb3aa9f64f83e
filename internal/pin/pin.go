// Package pin stores the messages that a room's people have pinned for everyone in it.
package pin

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
)

// MaxPins limits the pins of a room: all pins are one item, and nobody looks through more.
const MaxPins = 100

// Pin is a pinned message.
type Pin struct {
	Message chat.MessageID
	By      chat.UserID
	At      time.Time // to the millisecond
}

// position returns the position of a pin in the list.
func (p Pin) position() chat.ListPosition {
	return chat.ListPosition{Sort: fmt.Sprintf("%019d", p.At.UnixMilli()), ID: p.Message.String()}
}

// validPosition reports whether a pin could have a position.
func validPosition(p chat.ListPosition) bool {
	ms, err := strconv.ParseInt(p.Sort, 10, 64)
	_, idErr := chat.ParseMessageID(p.ID)
	return err == nil && idErr == nil && p.Sort == fmt.Sprintf("%019d", ms)
}

// before reports whether a pin comes before a position or is at it.
func (p Pin) before(at chat.ListPosition) bool {
	own := p.position()
	return own.Sort > at.Sort || own.Sort == at.Sort && own.ID <= at.ID
}

// Pinned is a pin with its message in its current state.
type Pinned struct {
	Pin
	Current chat.Message
}

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
