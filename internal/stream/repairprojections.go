package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// performProjections performs the projections for the messages of the feed's changes after a
// number. With Recount it performs them for all messages, as if every change and row had arrived
// again.
func (r Repair) performProjections(ctx context.Context, behind int64, report *RepairReport) error {
	if r.Recount {
		behind = 0
	}
	segments, _, err := r.History.FeedTail(ctx, r.Room, behind, time.Time{})
	if err != nil {
		return fmt.Errorf("read the feed: %w", err)
	}
	entries := entriesOf(segments, behind)
	var unreadable error
	err = r.History.EachMessage(ctx, r.Room, func(page []chat.Message) error {
		w := feed.RoomChanges{Room: r.Room}
		for _, m := range page {
			all := entries[m.ID]
			if r.Recount {
				w.Rows = append(w.Rows, feed.RowChange{Message: m.ID})
			}
			if r.Recount || len(all) > 0 {
				report.Counted++
			}
			for _, e := range all {
				e.Item.Message = &m
				w.Entries = append(w.Entries, e)
			}
		}
		if w.Empty() {
			return nil
		}
		for _, d := range r.Projections {
			if err := d.Project(ctx, w); errors.Is(err, chat.ErrUnreadable) {
				unreadable = err // the others are still performed
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if err = errors.Join(err, unreadable); err != nil {
		return fmt.Errorf("perform the projections: %w", err)
	}
	return nil
}

// entriesOf returns the entries after a number, by message.
func entriesOf(segments []feed.Segment, behind int64) map[chat.MessageID][]feed.AppendedEntry {
	entries := map[chat.MessageID][]feed.AppendedEntry{}
	for _, s := range segments {
		for i, c := range s.Changes {
			seq := s.First + int64(i)
			if seq > behind && c.Type.OfMessage() {
				entries[c.Message] = append(
					entries[c.Message],
					feed.AppendedEntry{Seq: seq, StreamChange: feed.StreamChange{Change: c, Created: s.WrittenAt}},
				)
			}
		}
	}
	return entries
}
