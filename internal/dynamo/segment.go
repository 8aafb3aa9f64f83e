package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/table"
)

// FeedHead is one eventual read: half a read unit.
func (s *Store) FeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, _, err := getEventual(ctx, s.table, "read feed head", table.FeedHeadKey(room), table.ParseFeedHead)
	return head, err
}

// CurrentFeedHead is one strong read: 1 read unit.
func (s *Store) CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, _, err := getStrong(ctx, s.table, "read feed head", table.FeedHeadKey(room), table.ParseFeedHead)
	return head, err
}

// FeedFrom reads the head, the segment that holds seq, and those after it, up to the head. It costs
// 1 read unit, and one for every 4 KB of each query. For a seq beyond the head it reads the head
// alone.
func (s *Store) FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (feed.Head, []feed.Segment, error) {
	head, err := s.CurrentFeedHead(ctx, room)
	if err != nil || seq < 1 || seq > head.Last {
		return head, nil, err
	}
	page, err := s.segments(ctx, feedQuery{room: room, to: seq, newestFirst: true, limit: 1})
	if err == nil && (len(page.segments) == 0 || page.segments[0].Last() < seq) {
		var next feedPage
		if next, err = s.segments(ctx, feedQuery{room: room, from: seq, to: head.Last, limit: 1}); len(next.segments) > 0 {
			page = next
		}
	}
	if err != nil || len(page.segments) == 0 {
		return head, nil, err
	}
	found := page.segments
	for {
		last := found[len(found)-1]
		wanted := limit - int(last.Last()-seq+1)
		if wanted <= 0 || last.Last() >= head.Last {
			return head, found, nil
		}
		// The number that suffices if all are as large as this one: a busy room's are large.
		alike := (wanted + len(last.Changes) - 1) / len(last.Changes)
		page, err := s.segments(ctx, feedQuery{room: room, from: last.Last() + 1, to: head.Last, limit: min(alike, segmentsAtOnce)})
		if err != nil || len(page.segments) == 0 { // or removed since
			return head, found, err
		}
		found = append(found, page.segments...)
	}
}

// FeedSegment is one strong read: 1 read unit for every 4 KB.
func (s *Store) FeedSegment(ctx context.Context, room chat.RoomID, first int64) (feed.Segment, error) {
	segment, _, err := getStrong(ctx, s.table, "read segment", table.SegmentKey(room, first), s.feeds.Parse)
	return segment, err
}

// segmentsAtOnce bounds one query for segments: a megabyte of usual ones.
const segmentsAtOnce = 25

// feedQuery selects segments of a room's feed.
type feedQuery struct {
	room        chat.RoomID
	from, to    int64 // first numbers, both included; 0 is open
	newestFirst bool
	limit       int
	eventual    bool
	start       table.Item // the next of the page before
}

// feedPage is one page of the segments that a feedQuery selects.
type feedPage struct {
	segments []feed.Segment
	next     table.Item // nil at the end
}

// segments reads one page.
func (s *Store) segments(ctx context.Context, q feedQuery) (feedPage, error) {
	if q.to == 0 {
		q.to = chat.MaxSeq
	}
	const op = "read feed"
	consistency := Strong
	if q.eventual {
		consistency = Eventual
	}
	items, next, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.FeedPK(q.room), Keys: between(table.FeedSK(q.from), table.FeedSK(q.to)),
		Consistency: consistency, NewestFirst: q.newestFirst, Limit: q.limit, Start: q.start,
	})
	if err != nil {
		return feedPage{}, err
	}
	segments, err := parseItems(op, items, s.feeds.Parse)
	return feedPage{segments: segments, next: next}, err
}
