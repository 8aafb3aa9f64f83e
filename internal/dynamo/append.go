package dynamo

import (
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// tailAtOnce is how many segments are read at once from a feed's end. In a quiet room they are so
// small that all of them are one read unit; in a busy one the first few are far enough back.
const tailAtOnce = 8

// farTailAtOnce is how many are read at once from there on: a megabyte, which ends a query anyway, where a room is busy.
const farTailAtOnce = 200

// FeedTail returns the end of a room's feed, oldest first and as last written: from the newest
// segment back to the first one that was written before since, that one included, or up to the one
// that begins with after, that one excluded.
//
// Without after it reads the head as well, and before: segments that are appended in between are in
// the tail, and where the head is further on than all of the tail, those behind have expired.
func (s *Store) FeedTail(ctx context.Context, room chat.RoomID, after int64, since time.Time) (tail []chat.Segment, head chat.FeedHead, err error) {
	if after == 0 {
		if head, err = s.feedHead(ctx, room); err != nil {
			return nil, head, err
		}
	}
	q := feedQuery{room: room, from: after + 1, newestFirst: true, limit: tailAtOnce}
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

// AppendSegment is one conditional put: a write unit for each KB, 1 for some 40 changes. It reports false,
// and changes nothing, when there is a segment of that first number already: it may be this
// very one, if the first answer was lost.
func (s *Store) AppendSegment(ctx context.Context, segment chat.Segment) (bool, error) {
	out, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:              &s.table,
		Item:                   s.feeds.Item(segment),
		ConditionExpression:    aws.String("attribute_not_exists(PK)"),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if _, ok := refused(err); ok {
		return false, nil
	}
	if err != nil {
		return false, translate("append to feed", err)
	}
	s.used(ctx, Usage{Operation: "append to feed", Write: true}, out.ConsumedCapacity)
	return true, nil
}

// PutFeedHead is one conditional update: 1 write unit. One that stands further on stays.
func (s *Store) PutFeedHead(ctx context.Context, head chat.FeedHead) error {
	_, _, err := s.updateItem(ctx, "put feed head", table.FeedHeadKey(head.Room), table.FeedHeadUpdate(head))
	return err
}
