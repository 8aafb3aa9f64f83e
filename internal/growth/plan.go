// Package growth changes how many shards a room has. Its owners may set a number. Otherwise the
// number follows the rate of the room's messages.
//
// A change is a new epoch, which begins after Delay. By then every process that places messages
// knows it, so each message has the same shard in all processes and on each retry (ADR 53).
package growth

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
)

const (
	// writeTimeout bounds the write of an epoch, which is sent once.
	writeTimeout = 2 * time.Second
	// margin allows for differences between the clocks of processes, 3 s, and for a write that
	// reaches the table after the process has given up waiting for it.
	margin = 5 * time.Second
	// Delay is the time from the write of an epoch to its start. A process may place a message
	// sent MaxAhead in the future by epochs that it read EpochMaxAge ago.
	Delay = chat.MaxAhead + chat.EpochMaxAge + writeTimeout + margin
)

// Plan is the past and future number of a room's shards.
type Plan struct {
	Epochs shard.Epochs
	// Pinned reports that an owner has set the number.
	Pinned bool
	// Writes counts the changes of the plan. Each change is conditional on it, so a change delayed
	// beyond the next one has no effect.
	Writes int64
	// Mark is the start of the mean rate.
	Mark Mark
}

// Mark is the number of messages that had been created in a room at a time. It is zero if nothing
// has been counted.
type Mark struct {
	At    time.Time // to the second
	Count int64
}

// Store keeps the plans of rooms.
type Store interface {
	// ShardPlan returns the current plan of a room. The error is NotFound if there is no such room.
	ShardPlan(ctx context.Context, room chat.RoomID) (Plan, error)
	// ReplaceShardPlan writes the differences in after. If the plan is no longer before, it
	// changes nothing and reports false. It makes one attempt. After an error the plan may have
	// been written, or may be written later.
	ReplaceShardPlan(ctx context.Context, room chat.RoomID, before, after Plan) (bool, error)
}

// next returns the plan with the next number of writes.
func (p Plan) next() Plan {
	p.Writes++
	p.Epochs = slices.Clip(p.Epochs)
	return p
}

// with returns the plan with n shards from Delay after now. ok is false if it already has n
// shards, or too many epochs.
func (p Plan) with(n int, now time.Time) (after Plan, ok bool) {
	epochs := p.Epochs.With(n, now.Add(Delay))
	if epochs == nil || len(epochs) > shard.MaxEpochs {
		return p, false
	}
	after = p.next()
	after.Epochs, after.Mark = epochs, Mark{}
	return after, true
}

// changes makes changes to plans, each at most once.
type changes struct {
	store Store
	clock func() time.Time
	log   *slog.Logger
}

// apply changes a room's plan as decide says, and returns the result. decide returns the plan to
// write, or false if the current plan may stay. It is called again if another change came first.
//
// A write without a response is never repeated. It may still be in flight, so apply writes the
// plan as it was, with the next number: whichever of the two arrives second has no effect.
func (c changes) apply(ctx context.Context, room chat.RoomID, decide func(Plan, time.Time) (Plan, bool)) (Plan, error) {
	for range chat.MaxChangeTries {
		before, err := c.store.ShardPlan(ctx, room)
		if err != nil {
			return Plan{}, err
		}
		now := c.clock()
		after, ok := decide(before, now)
		if !ok {
			return before, nil
		}
		written, err := c.write(ctx, room, before, after)
		if err == nil && written {
			c.checkTime(ctx, room, now, after)
			return after, nil
		}
		if err == nil {
			continue
		}
		c.log.WarnContext(ctx, "shards in doubt", "room", room, "error", err)
		if _, err := c.write(ctx, room, before, before.next()); err != nil {
			return Plan{}, err
		}
	}
	return Plan{}, chat.TooBusy()
}

func (c changes) write(ctx context.Context, room chat.RoomID, before, after Plan) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return c.store.ReplaceShardPlan(ctx, room, before, after)
}

// checkTime logs that an epoch was written too late: the process was stopped in between. Messages
// sent since the epoch's start may then be in a different shard from the one that their retries
// look in.
func (c changes) checkTime(ctx context.Context, room chat.RoomID, decided time.Time, after Plan) {
	if took := c.clock().Sub(decided); took > writeTimeout+margin {
		c.log.ErrorContext(
			ctx, "shards changed late", "room", room, "took", took.String(), "from", after.Epochs.Last().From,
		)
	}
}

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
