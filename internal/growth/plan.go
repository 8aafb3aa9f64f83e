// Package growth changes how many shards a room has. Its owners may set a number. Otherwise the
// number follows the rate of the room's messages.
//
// A change is a new epoch, which begins after Delay. By then every process that places messages
// knows it, so each message has the same shard in all processes and on each retry (ADR 53).
package growth

import (
	"context"
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
