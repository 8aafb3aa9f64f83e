package dynamo

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// FeedHead is one eventual read: half a read unit.
func (s *Store) FeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, _, err := ReadEventual(ctx, s.table, "read feed head", table.FeedHeadKey(room), table.ParseFeedHead)
	return head, err
}

// CurrentFeedHead is one strong read: 1 read unit.
func (s *Store) CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, _, err := ReadStrong(ctx, s.table, "read feed head", table.FeedHeadKey(room), table.ParseFeedHead)
	return head, err
}

// FeedFrom reads the head and then its segments: 1 read unit, plus the units of SegmentsFrom.
func (s *Store) FeedFrom(
	ctx context.Context, room chat.RoomID, seq int64, limit int,
) (feed.Head, []feed.Segment, error) {
	head, err := s.CurrentFeedHead(ctx, room)
	if err != nil {
		return head, nil, err
	}
	segments, err := s.SegmentsFrom(ctx, head, seq, limit)
	return head, segments, err
}

// SegmentsFrom is an eventual read: half a read unit for every 4 KB of each query. Segments never
// change, so an eventual read can only miss segments. If one is missing or has expired, the read
// is repeated strongly.
func (s *Store) SegmentsFrom(ctx context.Context, head feed.Head, seq int64, limit int) ([]feed.Segment, error) {
	if seq < 1 || seq > head.Last {
		return nil, nil
	}
	found, err := s.segmentsFrom(ctx, head, segmentRun{seq, limit, Eventual})
	if err != nil || haveAll(found, seq, min(head.Last, seq+int64(limit)-1)) {
		return found, err
	}
	return s.segmentsFrom(ctx, head, segmentRun{seq, limit, Strong})
}

// haveAll reports whether segments hold every number from first to last, and begin with the
// segment that holds first. Replicas differ, so a query may find a segment that the previous query
// missed.
func haveAll(segments []feed.Segment, first, last int64) bool {
	if len(segments) == 0 || segments[0].Last() < first {
		return false
	}
	for _, segment := range segments {
		if segment.First > first {
			return false
		}
		first = segment.Last() + 1
	}
	return first > last
}

// segmentRun is a read of limit changes of a feed from seq on.
type segmentRun struct {
	seq         int64
	limit       int
	consistency Consistency
}

// segmentsFrom reads the segment that holds r.seq and the segments after it, up to the head. If
// the page reaches the head, it needs all segments after the first, and reads them concurrently
// with it. Otherwise the first shows how many others are enough.
func (s *Store) segmentsFrom(ctx context.Context, head feed.Head, r segmentRun) ([]feed.Segment, error) {
	found, err := s.firstSegments(ctx, head, r, head.Last-r.seq < int64(r.limit))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for {
		last := found[len(found)-1]
		wanted := r.limit - int(last.Last()-r.seq+1)
		if wanted <= 0 || last.Last() >= head.Last {
			return found, nil
		}
		// This number is enough if all are as large as this one: a busy room's segments are large.
		alike := (wanted + len(last.Changes) - 1) / len(last.Changes)
		page, err := s.segments(ctx, feedQuery{
			room: head.Room, from: last.Last() + 1, to: head.Last, limit: min(alike, segmentsAtOnce),
			consistency: r.consistency,
		})
		if err != nil || len(page.segments) == 0 { // or removed since
			return found, err
		}
		found = append(found, page.segments...)
	}
}

// firstSegments reads the segment that holds r.seq. If that was removed, it reads the next one, or
// else the last one before it. If the rest is wanted, it also reads up to a megabyte of the
// following segments.
func (s *Store) firstSegments(
	ctx context.Context, head feed.Head, r segmentRun, withRest bool,
) ([]feed.Segment, error) {
	var first, rest feedPage
	both, inner := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		first, err = s.segments(
			inner, feedQuery{room: head.Room, to: r.seq, newestFirst: true, limit: 1, consistency: r.consistency},
		)
		return err
	})
	if withRest && r.seq < head.Last {
		both.Go(func() (err error) {
			rest, err = s.segments(
				inner, feedQuery{room: head.Room, from: r.seq + 1, to: head.Last, consistency: r.consistency},
			)
			return err
		})
	}
	if err := both.Wait(); err != nil {
		return nil, err
	}
	if len(first.segments) > 0 && first.segments[0].Last() >= r.seq {
		return append(first.segments, rest.segments...), nil
	}
	if !withRest {
		var err error
		if rest, err = s.segments(
			ctx, feedQuery{room: head.Room, from: r.seq, to: head.Last, limit: 1, consistency: r.consistency},
		); err != nil {
			return nil, err
		}
	}
	if len(rest.segments) > 0 {
		return rest.segments, nil
	}
	return first.segments, nil
}

// FeedSegment is one strong read: 1 read unit for every 4 KB.
func (s *Store) FeedSegment(ctx context.Context, room chat.RoomID, first int64) (feed.Segment, error) {
	segment, _, err := ReadStrong(ctx, s.table, "read segment", table.SegmentKey(room, first), s.feeds.Parse)
	return segment, err
}

// segmentsAtOnce bounds one query for segments, if their number is an estimate. It is as many as
// an API page of a quiet room needs, whose segments have one change each.
const segmentsAtOnce = chat.MaxLimit

// feedQuery selects segments of a room's feed.
type feedQuery struct {
	room        chat.RoomID
	from, to    int64 // first numbers, both inclusive; 0 is open
	newestFirst bool
	limit       int
	consistency Consistency
	start       table.Item // next of the previous page
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
	items, next, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.FeedPK(q.room), Keys: Between(table.FeedSK(q.from), table.FeedSK(q.to)),
		Consistency: q.consistency, NewestFirst: q.newestFirst, Limit: q.limit, Start: q.start,
	})
	if err != nil {
		return feedPage{}, err
	}
	segments, err := ParseItems(op, items, s.feeds.Parse)
	return feedPage{segments: segments, next: next}, err
}

// FeedHeads is one eventual batch read for every 100 rooms, all concurrent: half a read unit for
// each room.
func (s *Store) FeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	items, err := s.table.BatchGet(ctx, opFeedHeads, feedHeadKeys(rooms), Eventual)
	if err != nil {
		return nil, err
	}
	return headsByRoom(rooms, items)
}

// CurrentFeedHeads is one strong batch read for every 100 rooms: 1 read unit for each room.
func (s *Store) CurrentFeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	items, err := s.table.BatchGet(ctx, opFeedHeads, feedHeadKeys(rooms), Strong)
	if err != nil {
		return nil, err
	}
	return headsByRoom(rooms, items)
}

const opFeedHeads = "read feed heads"

func feedHeadKeys(rooms []chat.RoomID) []table.Item {
	keys := make([]table.Item, len(rooms))
	for i, room := range rooms {
		keys[i] = table.FeedHeadKey(room)
	}
	return keys
}

// headsByRoom returns the heads of rooms from their items, which are nil for rooms without a feed.
func headsByRoom(rooms []chat.RoomID, items []table.Item) (map[chat.RoomID]feed.Head, error) {
	heads := map[chat.RoomID]feed.Head{}
	for i, item := range items {
		head, found, err := ParseItem(opFeedHeads, item, nil, table.ParseFeedHead)
		if err != nil {
			return nil, err
		}
		if found {
			heads[rooms[i]] = head
		}
	}
	return heads, nil
}

// SegmentsBack is one query: half a read unit for every 4 KB, and a whole unit if it is
// consistent.
func (s *Store) SegmentsBack(ctx context.Context, r feed.SegmentRange) ([]feed.Segment, bool, error) {
	if r.Last < r.First {
		return nil, false, nil
	}
	page, err := s.segments(ctx, feedQuery{
		room: r.Room, from: r.First, to: r.Last, newestFirst: true, limit: r.Limit,
		consistency: Consistency(r.Consistent),
	})
	return page.segments, page.next != nil, err
}
