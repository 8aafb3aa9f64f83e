package mention_test

import (
	"context"
	"errors"
	"sync/atomic"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
)

var errCrash = errors.New("the process ended")

// crash fails one call of the store, before or after it takes effect.
type crash struct {
	mention.Ledgers
	at    int64
	after bool
	calls atomic.Int64
}

func (c *crash) do(call func() error) error {
	n := c.calls.Add(1)
	if n == c.at && !c.after {
		return errCrash
	}
	err := call()
	if n == c.at {
		return errCrash
	}
	return err
}

func (c *crash) MentionLedger(ctx context.Context, room chat.RoomID, id chat.MessageID) (l mention.Ledger, err error) {
	err = c.do(func() (err error) { l, err = c.Ledgers.MentionLedger(ctx, room, id); return err })
	return l, err
}

func (c *crash) PutMentionLedger(ctx context.Context, before int, next mention.Ledger) (l mention.Ledger, ok bool, err error) {
	err = c.do(func() (err error) { l, ok, err = c.Ledgers.PutMentionLedger(ctx, before, next); return err })
	return l, ok, err
}

func (c *crash) ForgetRemoved(ctx context.Context, l mention.Ledger) error {
	return c.do(func() error { return c.Ledgers.ForgetRemoved(ctx, l) })
}

func (c *crash) PutMention(ctx context.Context, r mention.Row) error {
	return c.do(func() error { return c.Ledgers.PutMention(ctx, r) })
}

func (c *crash) RemoveMention(ctx context.Context, r mention.Row) error {
	return c.do(func() error { return c.Ledgers.RemoveMention(ctx, r) })
}
