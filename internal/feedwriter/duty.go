package feedwriter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"parley/internal/chat"
)

// Duty is work that follows from the changes of a room, and is done at least once for each: counts
// and rows that other items need. What may be missed is for a Consumer.
//
// Perform is called once for each batch with changes or rows of a room, after the room's appends.
// It receives the same entries and rows again whenever the batch is retried, also after it
// succeeded, and older ones after newer ones. So it reads the current state and writes the
// difference.
//
// After an error the records of the room are retried, with those of later batches behind them. An
// error that wraps chat.ErrUnreadable, and a panic, cannot be helped by retries: the records are
// given to Failures instead. The text of an error goes to the log, so it must not hold contents.
//
// Rooms of one batch are performed concurrently. The deadline of ctx leaves time for the answer.
// A duty must not modify the values that it receives.
type Duty interface {
	Perform(ctx context.Context, w Work) error
}

// divideRecords returns the records that are for the feed, and the rows, without unreadable ones.
func divideRecords(records []Record) (changed []Record, rows []Row) {
	for _, r := range records {
		switch {
		case r.Row == nil:
			changed = append(changed, r)
		case r.Err == nil:
			rows = append(rows, *r.Row)
		}
	}
	return changed, rows
}

// workOf returns the work after an append. A deleted room has none.
func workOf(room chat.RoomID, written outcome, rows []Row) Work {
	if written.closed {
		return Work{Room: room}
	}
	entries := slices.Concat(written.Entries, written.found)
	slices.SortFunc(entries, func(a, b AppendedEntry) int { return cmp.Compare(a.Seq, b.Seq) })
	return Work{Room: room, Entries: entries, Rows: rows}
}

// perform calls the duties for one room. It reports whether they are done, and no record needs a
// retry.
func (h *Handler) perform(ctx context.Context, records []Record, w Work) (done bool) {
	if w.Empty() {
		return true
	}
	done = true
	for _, d := range h.duties {
		err := h.performOne(ctx, d, w)
		if err == nil {
			continue
		}
		h.log.ErrorContext(ctx, "duty failed", "duty", fmt.Sprintf("%T", d), "room", w.Room, "records", len(records), "error", err)
		if !errors.Is(err, chat.ErrUnreadable) || !h.keepAll(ctx, records, err) {
			done = false
		}
	}
	return done
}

// performOne calls one duty. The error after a panic wraps chat.ErrUnreadable.
func (h *Handler) performOne(ctx context.Context, d Duty, w Work) (err error) {
	defer func() {
		if v := recover(); v != nil {
			h.log.ErrorContext(ctx, "duty panicked", "panic", panicText(v), "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: the duty panicked: %s", chat.ErrUnreadable, panicText(v))
		}
	}()
	return d.Perform(ctx, w)
}
