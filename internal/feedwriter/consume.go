package feedwriter

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
)

const (
	// consumeTimeout bounds the consumers of one batch. Batches behind it in the same shard of the
	// stream wait that long.
	consumeTimeout = 5 * time.Second
	// consumeReserve is kept for consumers while feeds are written. A room that cannot be written
	// uses up all the time of its batch, and the consumers of the other rooms still need some.
	consumeReserve = time.Second
	// consumeGrace is how long a consumer may take to return after its context has ended. It is
	// part of the responseMargin.
	consumeGrace = 500 * time.Millisecond
)

// Consumer receives what was appended to feeds.
//
// Consume is called once a batch, after all its appends and with no room locked, unless the batch
// appended nothing. It receives each entry at most once: an entry that stood in the feed already is
// not delivered, nor is one whose process ended before this call. Nothing may depend on it that the
// feed cannot make good.
//
// The context ends in time for the batch to be answered. A consumer that does not return then is
// left behind. An error or a panic is logged and changes nothing: the appends stand, and the batch
// is answered as if there were no consumer. The text of an error goes to the log, so it must not
// hold contents.
//
// Consumers of one batch run at the same time, and batches may do so too. They must not change what
// they receive.
type Consumer interface {
	Consume(ctx context.Context, rooms []Appended) error
}

// Appended is what one batch appended to the feed of one room. A room is left out when one of its
// appends failed, since readers may not be shown its new entries yet.
type Appended struct {
	Room chat.RoomID
	// Head is the end of the feed after the append. Readers are shown at least the entries up to
	// it.
	Head feed.Head
	// Entries are in the order of their numbers. A number that is missing between two of them
	// belongs to an entry that another process appended, or to the gap between two generations.
	Entries []AppendedEntry
}

// AppendedEntry is an entry with its number in the feed. Its Item is as the change left it, and may
// have changed since Created.
type AppendedEntry struct {
	Seq int64
	Change
}

// consume hands what a batch appended to all consumers, and returns when they are done or when
// their time is up.
func (h *Handler) consume(ctx context.Context, rooms []Appended) {
	if len(rooms) == 0 || len(h.consumers) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, consumeTimeout)
	defer cancel()
	var running sync.WaitGroup
	for _, c := range h.consumers {
		running.Go(func() { consumeOne(ctx, h.log, c, rooms) })
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
		h.log.ErrorContext(ctx, "consumers left behind", "rooms", len(rooms))
	}
}

// consumeOne calls one consumer and logs how it failed, if it did.
func consumeOne(ctx context.Context, log *slog.Logger, c Consumer, rooms []Appended) {
	log = log.With("consumer", fmt.Sprintf("%T", c), "rooms", len(rooms))
	defer func() {
		if v := recover(); v != nil {
			log.ErrorContext(ctx, "consumer panicked", "panic", panicText(v), "stack", string(debug.Stack()))
		}
	}()
	if err := c.Consume(ctx, rooms); err != nil {
		log.ErrorContext(ctx, "consumer failed", "error", err)
	}
}

// panicText returns the text of a panic of the runtime, and the type alone of any other: its text
// may hold contents.
func panicText(v any) string {
	if err, ok := v.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("a value of type %T", v)
}
