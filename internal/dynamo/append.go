package dynamo

import (
	"context"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// tailAtOnce is the number of segments in the first read from a feed's end. In a quiet room they
// are so small that all of them cost one read unit. In a busy room the first few reach far enough
// back.
const tailAtOnce = 8

// farTailAtOnce is the number of segments in each further read. In a busy room they make up a
// megabyte, which ends a query anyway.
const farTailAtOnce = 200

// FeedTail returns the end of a room's feed, oldest first, by strong reads. It goes back from the
// newest segment to the first one written before since, inclusive. It stops earlier at the segment
// that begins with after, exclusive.
//
// If after is 0 it reads the head first, so segments that are appended meanwhile are in the tail.
// A head beyond the tail means that the segments after the tail have expired.
func (s *Store) FeedTail(
	ctx context.Context, room chat.RoomID, after int64, since time.Time,
) (tail []feed.Segment, head feed.Head, err error) {
	if after == 0 {
		if head, err = s.CurrentFeedHead(ctx, room); err != nil {
			return nil, head, err
		}
	}
	q := feedQuery{room: room, from: after + 1, newestFirst: true, limit: tailAtOnce, consistency: Strong}
	for {
		page, err := s.segments(ctx, q)
		if err != nil {
			return nil, head, err
		}
		for _, segment := range page.segments {
			tail = append(tail, segment)
			if segment.WrittenAt.Before(since) {
				page.next = nil
				break
			}
		}
		if q.start = page.next; q.start == nil {
			break
		}
		q.limit = farTailAtOnce
	}
	slices.Reverse(tail)
	return tail, head, nil
}

// AppendSegment is one conditional put: a write unit for each KB, which holds some 40 changes. If
// a segment with that first number exists, it changes nothing and reports false. That may be this
// segment, if the first response was lost.
func (s *Store) AppendSegment(ctx context.Context, segment feed.Segment) (bool, error) {
	item := s.feeds.Item(segment)
	return s.table.PutItem(ctx, "append to feed", item, table.Absent(item))
}

// PutFeedHead is one conditional update: 1 write unit. It keeps a stored head that is further
// ahead or closed.
func (s *Store) PutFeedHead(ctx context.Context, head feed.Head) error {
	existing, failed, err := s.table.UpdateItem(
		ctx, "put feed head", table.FeedHeadKey(head.Room), table.FeedHeadUpdate(head),
	)
	if err != nil || !failed {
		return err
	}
	if stored, err := table.ParseFeedHead(existing); err == nil && stored.Closed {
		return feed.ErrClosed
	}
	return nil
}
