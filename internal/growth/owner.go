package growth

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

// OwnerSetting changes the shards of rooms for their owners.
type OwnerSetting struct{ changes }

// NewOwnerSetting returns an OwnerSetting for a store.
func NewOwnerSetting(store Store, clock func() time.Time, log *slog.Logger) *OwnerSetting {
	return &OwnerSetting{changes{store: store, clock: clock, log: log}}
}

// SetShards gives a room n shards from Delay on, until an owner changes it. If n is 0, the number
// follows the room's rate. It returns the number of shards that the room will have. The caller
// must have been authorized. The error is Conflict if the number was changed too often. It costs a
// strong read of 1 unit, and a write unit for every KB of the epochs.
func (o *OwnerSetting) SetShards(ctx context.Context, room chat.RoomID, n int) (int, error) {
	var full bool
	plan, err := o.apply(ctx, room, func(p Plan, now time.Time) (Plan, bool) {
		full = n > 0 && n != p.Epochs.Last().N && len(p.Epochs) >= shard.MaxEpochs
		if full || p.Pinned == (n > 0) && (n == 0 || n == p.Epochs.Last().N) {
			return p, false
		}
		after := p.next()
		if changed, ok := p.with(n, now); ok && n > 0 {
			after = changed
		}
		after.Pinned = n > 0
		return after, true
	})
	if err != nil {
		return 0, err
	}
	if full {
		return 0, &chat.Error{Kind: chat.Conflict, Field: "shards",
			Detail: fmt.Sprintf("the number of shards has changed %d times, as often as it may", shard.MaxEpochs-1)}
	}
	return plan.Epochs.Last().N, nil
}
