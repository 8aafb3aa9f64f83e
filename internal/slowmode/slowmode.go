// Package slowmode paces what people contribute to rooms in slow mode.
package slowmode

import (
	"context"
	"time"

	"parley/internal/chat"
)

// Slot is a contribution of a person to a room in slow mode.
type Slot struct {
	Room chat.RoomID
	User chat.UserID
	// The contribution is identified by What: the same one is admitted again.
	What  string
	Now   time.Time
	Every time.Duration // the interval: the room's SlowMode
}

// Store stores the last contribution of each person to a room.
type Store interface {
	// TakeSlot admits one contribution of a person per interval. It returns 0 if the contribution
	// may be stored, also if it was the last one that was admitted. Otherwise it returns how long
	// to wait.
	TakeSlot(ctx context.Context, slot Slot) (wait time.Duration, err error)
}

// Gate admits contributions. It implements chat.Pace, and is safe for concurrent use.
type Gate struct {
	store Store
	clock func() time.Time
}

// New returns a gate.
func New(store Store, clock func() time.Time) *Gate { return &Gate{store: store, clock: clock} }

// Admit returns nil if a person may contribute to a room now. The error is RateLimited if the room
// is in slow mode and the last contribution of the person too recent. Moderators and owners are
// exempt. The caller must have checked that the contribution is not a retry of one that is stored.
func (g *Gate) Admit(ctx context.Context, a chat.Access, user chat.UserID, what string) error {
	if !a.InSlowMode() {
		return nil
	}
	wait, err := g.store.TakeSlot(ctx, Slot{Room: a.Room.ID, User: user, What: what, Now: chat.ServerTime(g.clock()), Every: a.Room.SlowMode})
	if err == nil && wait > 0 {
		err = &chat.Error{Kind: chat.RateLimited, Limit: "slow-mode", RetryAfter: wait, Detail: "this room is in slow mode; " + chat.RetryHint}
	}
	return err
}
