package stream

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"example.com/parley/internal/feed"
)

const (
	// consumeTimeout bounds the consumers of one batch. Later batches in the same shard of the
	// stream wait that long.
	consumeTimeout = 5 * time.Second
	// consumeReserve is the time that appends leave to consumers. A room that cannot be written
	// uses up the rest of its batch's time, but the other rooms must still be delivered.
	consumeReserve = time.Second
	// consumeGrace is the time that a consumer has to return after its context has ended. It is
	// part of responseMargin.
	consumeGrace = 500 * time.Millisecond
)

// Consumer receives the entries that a Handler appended to feeds, and the changes that concern no
// feed.
//
// Consume is called once for each batch that has anything for consumers, after all its appends. No
// lock is held during the call.
//
// Delivery is at most once. An entry is never delivered if the process ended before the call, if
// the outcome of its put was unknown, or if a later append of its room failed. The batch is then
// repeated, and its Repeated has the room. The entries of a Repair are not delivered. A consumer
// must be able to recover a missed entry from the feed.
//
// The context ends after five seconds, and earlier if the batch must be answered. A consumer that
// does not return then is abandoned. An error or a panic is logged and has no other effect: the
// appends are done, and the answer is the same as without consumers. The text of an error goes to
// the log, so it must not hold contents.
//
// Consumers of one batch run concurrently, and batches may do so too. Consumers must not modify
// the values that they receive.
type Consumer interface {
	Consume(ctx context.Context, b feed.Batch) error
}

// consume delivers a batch to all consumers. It returns when they have returned, or
// when their time is up.
func (h *Handler) consume(ctx context.Context, b feed.Batch) {
	if b.Empty() || len(h.consumers) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, consumeTimeout)
	defer cancel()
	var running sync.WaitGroup
	for _, c := range h.consumers {
		running.Go(func() { consumeOne(ctx, h.log, c, b) })
	}
	done := make(chan struct{})
	go func() {
		running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	grace := time.NewTimer(consumeGrace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
		h.log.ErrorContext(ctx, "consumers abandoned", "rooms", len(b.Rooms))
	}
}

// consumeOne calls one consumer and logs its failure.
func consumeOne(ctx context.Context, log *slog.Logger, c Consumer, b feed.Batch) {
	log = log.With("consumer", fmt.Sprintf("%T", c), "rooms", len(b.Rooms))
	defer func() {
		if v := recover(); v != nil {
			log.ErrorContext(ctx, "consumer panicked", "panic", panicText(v), "stack", string(debug.Stack()))
		}
	}()
	if err := c.Consume(ctx, b); err != nil {
		log.ErrorContext(ctx, "consumer failed", "error", err)
	}
}

// panicText returns the text of a runtime error. For any other panic it returns only the type,
// because the text may hold contents.
func panicText(v any) string {
	if err, ok := v.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a value of type %T", v)
}
