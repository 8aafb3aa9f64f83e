package feed

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"parley/internal/chat"
)

// History is where a repair finds out what happened in a room, and what its feed tells.
type History interface {
	// EachMessage hands over every message that is stored for a room, whether or not the room's
	// listing shows it: page by page, in the order of their keys, none twice. It ends with the first
	// error of page, and is NotFound when there is no such room.
	EachMessage(ctx context.Context, room chat.RoomID, page func([]chat.Message) error) error
	// FeedTail returns the segments of a feed that were written since a time, oldest first, and where
	// the feed ended before they were read.
	FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) (tail []chat.Segment, head chat.FeedHead, err error)
}

// Repair is a room whose feed is to be mended.
type Repair struct {
	Room     chat.RoomID
	History  History
	Appender *Appender
	// Stream is the address of the table's stream: what is appended belongs to its generation.
	Stream string
}

// Repaired is what a repair has found and done.
type Repaired struct {
	Messages int // that are stored for the room
	Known    int // changes of theirs that the feed told of
	Gone     int // changes from before the feed's beginning, which were left alone
	Appended int
}

// Run appends the changes of messages that the feed does not tell of, by message and revision. It reads
// the feed and every message of the room once, a page at a time, and remembers the changes alone. It may run
// beside those who write the room and its feed, and be run again. Changes from before the feed's
// oldest segment are left alone: they may have been in one that has expired.
//
// NotFound when there is no such room. Unavailable as Append's.
func (r Repair) Run(ctx context.Context) (Repaired, error) {
	// The feed is read first: what comes to both in between is seen as missing, and found when it
	// is appended.
	segments, head, err := r.History.FeedTail(ctx, r.Room, 0, time.Time{})
	if err != nil {
		return Repaired{}, fmt.Errorf("read the feed: %w", err)
	}
	h := holes{begins: beginning(segments, head, r.Appender.now()), known: map[chat.Change]struct{}{}}
	for _, s := range segments {
		for _, c := range s.Changes {
			h.known[c.Identity()] = struct{}{}
		}
	}
	err = r.History.EachMessage(ctx, r.Room, func(page []chat.Message) error {
		for _, m := range page {
			h.look(m)
		}
		return nil
	})
	if err != nil {
		return h.found, fmt.Errorf("read the messages: %w", err)
	}
	// In the order of the room's listing, and stable: a message's revisions stay in order.
	slices.SortStableFunc(h.missing, missing.compare)
	for part := range slices.Chunk(h.missing, chat.MaxSegmentChanges) {
		changes := make([]Change, len(part))
		for i, m := range part {
			changes[i] = Change{Change: m.change}
		}
		n, err := r.Appender.Append(ctx, r.Room, generationOf(r.Stream), changes)
		h.found.Appended += n
		h.found.Known += len(part) - n // they came by the stream meanwhile
		if err != nil {
			return h.found, fmt.Errorf("append to the feed: %w", err)
		}
	}
	return h.found, nil
}

// beginning is when the oldest change was made that the feed must tell of; zero when nothing has
// expired. Segments that have expired are not removed in order. One that is missing behind another that has not
// expired was lost by a mistake.
func beginning(segments []chat.Segment, head chat.FeedHead, now time.Time) (begins time.Time) {
	last, expires := int64(0), true
	for _, s := range segments {
		if s.First > last+1 && s.First != last+1+chat.GenerationGap && expires {
			begins = s.WrittenAt
		}
		last, expires = s.Last(), !s.Expires.IsZero() && !s.Expires.After(now)
	}
	if head.Last > last && expires {
		begins = head.WrittenAt
	}
	return begins
}

// missing is a change that the feed does not tell of, and when it was made at the earliest.
type missing struct {
	change chat.Change
	at     time.Time
}

func (m missing) compare(other missing) int {
	a, b := m.change.Message, other.change.Message
	return cmp.Or(m.at.Compare(other.at), cmp.Compare(a.User, b.User), bytes.Compare(a.UUID[:], b.UUID[:]))
}

// holes is a search for what is missing.
type holes struct {
	begins  time.Time
	known   map[chat.Change]struct{}
	missing []missing
	found   Repaired
}

// look looks at one message: each of its revisions is a change.
func (h *holes) look(m chat.Message) {
	h.found.Messages++
	for revision := 1; revision <= m.Revision; revision++ {
		then := m
		then.Revision = revision
		at := m.ReceivedAt // of an edit before the last it is not known when it was
		if revision < m.Revision {
			then.DeletedAt = time.Time{}
		} else {
			at = later(m.ReceivedAt, later(m.EditedAt, m.DeletedAt))
		}
		change := chat.ChangeOf(then)
		switch _, known := h.known[change.Identity()]; {
		case known:
			h.found.Known++
		case at.Before(h.begins):
			h.found.Gone++
		default:
			h.missing = append(h.missing, missing{change, at})
		}
	}
}
