package growth

import (
	"context"
	"log/slog"
	"time"

	"example.com/parley/internal/chat"
)

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
