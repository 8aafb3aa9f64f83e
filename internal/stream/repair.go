package stream

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// History reads the messages of a room and its feed.
type History interface {
	// EachMessage calls page with the stored messages of a room, each once, in the order of their
	// keys. They include messages that the room's listing does not show. Messages of about the
	// last second may be missing. EachMessage stops at the first error of page and returns it. The
	// error is NotFound if the room does not exist.
	EachMessage(ctx context.Context, room chat.RoomID, page func([]chat.Message) error) error
	// FeedTail is as in Store. With zero arguments it returns the whole feed.
	FeedTail(
		ctx context.Context, room chat.RoomID, after int64, since time.Time,
	) (tail []feed.Segment, head feed.Head, err error)
}

// Repair appends the missing changes of messages to a room's feed. It cannot detect missing
// changes of members or of the room, because only messages have revisions.
type Repair struct {
	Room     chat.RoomID
	History  History
	Appender *Appender
	// Stream is the ARN of the table's stream. The appended changes belong to its generation.
	Stream string
	// Projections are performed for the appended changes.
	Projections []Projection
	// Recount performs the projections for every message, whether or not its changes were missing.
	// A message's rows enter no feed, so nothing else shows that one was lost.
	Recount bool
}

// RepairReport counts the messages and changes of a repair.
type RepairReport struct {
	Messages int // stored messages of the room
	Present  int // changes of messages that the feed already had
	TooOld   int // changes older than the oldest remaining segment, which are not appended
	Appended int // changes that were missing
	Counted  int // messages for which the projections were performed
}

// Run compares the feed with every revision of every message, and appends the missing changes at
// the end of the feed, in the order of the room's messages. It may run while others write the room
// and its feed, and it may run again.
//
// If segments have expired, Run does not append changes older than the oldest remaining one: they
// may have been in an expired segment.
//
// Run reads the feed and every message once, and twice if projections are performed. It holds the
// changes of the room in memory, but not its messages. After an error, the report counts the work
// done before it.
//
// The error is NotFound if the room does not exist or is deleted, and otherwise as for Append.
func (r Repair) Run(ctx context.Context) (RepairReport, error) {
	// The feed is read first. A change that is made in between looks missing here, but Append
	// finds it in the feed.
	segments, head, err := r.History.FeedTail(ctx, r.Room, 0, time.Time{})
	if err != nil {
		return RepairReport{}, fmt.Errorf("read the feed: %w", err)
	}
	if head.Closed {
		return RepairReport{}, chat.NoSuchRoom()
	}
	s := scan{start: beginning(segments, head, r.Appender.now()), present: map[feed.Change]struct{}{}}
	for _, segment := range segments {
		for _, c := range segment.Changes {
			s.present[c.Identity()] = struct{}{}
		}
	}
	err = r.History.EachMessage(ctx, r.Room, func(page []chat.Message) error {
		for _, m := range page {
			s.visit(m)
		}
		return nil
	})
	if err != nil {
		return s.report, fmt.Errorf("read the messages: %w", err)
	}
	// The order is the room listing's. The sort is stable, so the revisions of a message stay in
	// order.
	slices.SortStableFunc(s.missing, missing.compare)
	for part := range slices.Chunk(s.missing, feed.MaxSegmentChanges) {
		changes := make([]feed.StreamChange, len(part))
		for i, m := range part {
			changes[i] = feed.StreamChange{Change: m.change}
		}
		n, err := r.Appender.Append(ctx, r.Room, GenerationOf(r.Stream), changes)
		s.report.Appended += n
		if err != nil {
			return s.report, fmt.Errorf("append to the feed: %w", err)
		}
		s.report.Present += len(part) - n // the stream brought them meanwhile
	}
	if len(r.Projections) > 0 && (r.Recount || s.report.Appended > 0) {
		err = r.performProjections(ctx, head.Last, &s.report)
	}
	return s.report, err
}

// beginning returns the time since which the feed must have all changes, or the zero time if
// nothing has expired. DynamoDB does not remove expired segments in order. A segment missing after
// an unexpired one was lost by an error.
func beginning(segments []feed.Segment, head feed.Head, now time.Time) (start time.Time) {
	last, expires := int64(0), true
	for _, s := range segments {
		if s.First > last+1 && s.First != last+1+feed.GenerationGap && expires {
			start = s.WrittenAt
		}
		last, expires = s.Last(), !s.Expires.IsZero() && !s.Expires.After(now)
	}
	if head.Last > last && expires {
		start = head.WrittenAt
	}
	return start
}

// missing is a change that is not in the feed, with the earliest possible time of the change.
type missing struct {
	change feed.Change
	at     time.Time
}

func (m missing) compare(other missing) int {
	a, b := m.change.Message, other.change.Message
	return cmp.Or(m.at.Compare(other.at), cmp.Compare(a.User, b.User), bytes.Compare(a.UUID[:], b.UUID[:]))
}

// scan is a search for missing changes.
type scan struct {
	start   time.Time // of the feed
	present map[feed.Change]struct{}
	missing []missing
	report  RepairReport
}

// visit looks for the changes of one message in the feed. Each revision is a change.
func (s *scan) visit(m chat.Message) {
	s.report.Messages++
	for revision := 1; revision <= m.Revision; revision++ {
		then := m
		then.Revision = revision
		at := m.ReceivedAt // the time of an edit before the last is unknown
		if revision < m.Revision {
			then.DeletedAt = time.Time{}
		} else {
			at = later(m.ReceivedAt, later(m.EditedAt, m.DeletedAt))
		}
		change := feed.ChangeOf(then)
		switch _, present := s.present[change.Identity()]; {
		case present:
			s.report.Present++
		case at.Before(s.start):
			s.report.TooOld++
		default:
			s.missing = append(s.missing, missing{change, at})
		}
	}
}

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
