package chat

import (
	"context"
	"time"
)

// SlowModeSlot is a person's contribution to a room in slow mode.
type SlowModeSlot struct {
	Room RoomID
	User UserID
	// The contribution is identified by What. The last admitted contribution is admitted again.
	What  string
	Now   time.Time
	Every time.Duration // the interval: the room's SlowMode
}

// SlowModeStore stores each person's last contribution to a room.
type SlowModeStore interface {
	// TakeSlot admits one contribution of a person per interval. It returns 0 if the contribution
	// may be stored, or if it is the last one that was admitted. Otherwise it returns how long to
	// wait.
	TakeSlot(ctx context.Context, slot SlowModeSlot) (wait time.Duration, err error)
}

// SlowMode admits contributions to rooms in slow mode. It is safe for concurrent use.
type SlowMode struct {
	store SlowModeStore
	clock func() time.Time
}

// NewSlowMode returns a SlowMode.
func NewSlowMode(store SlowModeStore, clock func() time.Time) *SlowMode {
	return &SlowMode{store: store, clock: clock}
}

// Admit returns nil if a person may contribute to a room now. The error is RateLimited if the room
// is in slow mode and the person's last contribution is too recent. Moderators and owners are
// exempt. The argument what identifies the contribution; a retry of the last one is admitted again.
// The caller must have checked that it is not a retry of another stored one.
func (g *SlowMode) Admit(ctx context.Context, a Access, user UserID, what string) error {
	if !a.InSlowMode() {
		return nil
	}
	wait, err := g.store.TakeSlot(
		ctx, SlowModeSlot{Room: a.Room.ID, User: user, What: what, Now: ServerTime(g.clock()), Every: a.Room.SlowMode},
	)
	if err == nil && wait > 0 {
		err = &Error{
			Kind: RateLimited, Limit: "slow-mode", RetryAfter: wait, Detail: "this room is in slow mode; " + RetryHint,
		}
	}
	return err
}
