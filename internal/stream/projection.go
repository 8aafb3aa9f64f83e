package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Projection is work that follows from the changes of a room, done at least once for each: counts
// and rows that other items need. Use a Consumer for work that may be lost.
//
// Project is called once for each batch with changes or rows of a room, after the room's appends.
// It receives the same entries and rows again whenever the batch is retried, even after it
// succeeded, and may receive older ones after newer ones. It must therefore read the current state
// and write the difference.
//
// After an error the room's records are retried, followed by later batches. Retries do not help
// after a panic or an error that wraps chat.ErrUnreadable: the records are given to Failures
// instead. The text of an error goes to the log, so it must not hold contents.
//
// Rooms of one batch are performed concurrently. The deadline of ctx leaves time for the response.
// A projection must not modify the values that it receives.
type Projection interface {
	Project(ctx context.Context, w feed.RoomChanges) error
}

// ProjectionFailed is the message of the line about a failed projection, which names its type.
const ProjectionFailed = "projection failed"

// divideRecords returns the records that are for the feed, and the rows, without unreadable ones.
func divideRecords(records []Record) (changed []Record, rows []feed.RowChange) {
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

// workOf returns the work after an append. A deleted room has no work but the removal of its files.
func workOf(room chat.RoomID, written outcome, rows []feed.RowChange, joined []feed.Join) feed.RoomChanges {
	if written.closed {
		return feed.RoomChanges{
			Room: room, Rows: slices.DeleteFunc(rows, func(r feed.RowChange) bool { return r.Upload == uuid.UUID{} }),
		}
	}
	entries := slices.Concat(written.Entries, written.found)
	slices.SortFunc(entries, func(a, b feed.AppendedEntry) int { return cmp.Compare(a.Seq, b.Seq) })
	return feed.RoomChanges{Room: room, Entries: entries, Rows: rows, Joins: joined}
}

// joins returns the joins that system messages report.
func joins(records []Record) (all []feed.Join) {
	for _, r := range records {
		if r.Join != nil {
			all = append(all, *r.Join)
		}
	}
	return all
}

// project calls the projections for one room. It reports whether they are done, and no record needs
// a retry.
func (h *Handler) project(ctx context.Context, records []Record, w feed.RoomChanges) (done bool) {
	if w.Empty() {
		return true
	}
	done = true
	for _, d := range h.projections {
		err := h.projectOne(ctx, d, w)
		if err == nil {
			continue
		}
		h.log.ErrorContext(
			ctx, ProjectionFailed, "projection", fmt.Sprintf("%T", d), "room", w.Room, "records", len(records), "error",
			err,
		)
		if !errors.Is(err, chat.ErrUnreadable) || !h.keepAll(ctx, records, err) {
			done = false
		}
	}
	return done
}

// projectOne calls one projection. The error after a panic wraps chat.ErrUnreadable.
func (h *Handler) projectOne(ctx context.Context, d Projection, w feed.RoomChanges) (err error) {
	defer func() {
		if v := recover(); v != nil {
			h.log.ErrorContext(ctx, "projection panicked", "panic", panicText(v), "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: the projection panicked: %s", chat.ErrUnreadable, panicText(v))
		}
	}()
	return d.Project(ctx, w)
}
