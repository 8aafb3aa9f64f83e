package stream

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

const (
	// eraseTimeout bounds the steps of one batch. Later batches in the same shard of the stream
	// wait that long.
	eraseTimeout = 5 * time.Second
	// erasuresAtOnce bounds the people of one batch who are erased concurrently.
	erasuresAtOnce = 4
)

// Eraser erases deleted people, a step at a time.
type Eraser interface {
	// Step makes the requested step of a person's erasure, and requests the next by changing their
	// account, until nothing is left. It does nothing if the account no longer requests this step.
	// A step may be repeated. After an Unavailable error the record is retried, followed by later
	// batches. After another error or a panic it is given to Failures. The text of an error goes to
	// the log, so it must not hold contents.
	Step(ctx context.Context, e account.ErasureStep) error
}

// erase makes the steps that the records of a batch request, after the feeds and the deliveries of
// all rooms, which do not wait for it. It adds the records to retry to failed.
func (h *Handler) erase(ctx context.Context, records []Record, failed *retries) {
	if h.eraser == nil || len(records) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(erasuresAtOnce)
	for _, r := range records {
		group.Go(func() error {
			if err := h.eraseOne(ctx, r.Erasure); err != nil && !h.settled(ctx, r, err) {
				failed.add(r)
			}
			return nil
		})
	}
	_ = group.Wait()
}

// settled reports whether a failed step needs no retry, because its failure is stored.
func (h *Handler) settled(ctx context.Context, r Record, err error) bool {
	h.log.ErrorContext(ctx, "erasure failed", "step", r.Erasure.Step, "error", err)
	var known *chat.Error
	if errors.As(err, &known) && known.Kind == chat.Unavailable {
		return false
	}
	r.Change.Key = table.PersonPK(r.Erasure.User)
	return h.keep(ctx, r.failed(err)) == nil
}

// eraseOne makes one step. A panic is an error that no retry mends.
func (h *Handler) eraseOne(ctx context.Context, e account.ErasureStep) (err error) {
	defer func() {
		if v := recover(); v != nil {
			h.log.ErrorContext(ctx, "eraser panicked", "panic", panicText(v), "stack", string(debug.Stack()))
			err = fmt.Errorf("the eraser panicked: %s", panicText(v))
		}
	}()
	return h.eraser.Step(ctx, e)
}
