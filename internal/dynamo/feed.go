package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// FeedHead is one eventually consistent read: half a read unit.
func (s *Store) FeedHead(ctx context.Context, room chat.RoomID) (chat.FeedHead, error) {
	return parseHead(s.getItemEventually(ctx, "read feed head", table.FeedHeadKey(room)))
}

// feedHead is the head as last written: 1 read unit.
func (s *Store) feedHead(ctx context.Context, room chat.RoomID) (chat.FeedHead, error) {
	return parseHead(s.getItem(ctx, "read feed head", table.FeedHeadKey(room)))
}

// parseHead reads what one of them brought: none is the zero FeedHead.
func parseHead(item table.Item, err error) (chat.FeedHead, error) {
	if err != nil || item == nil {
		return chat.FeedHead{}, err
	}
	head, err := table.ParseFeedHead(item)
	return head, translate("read feed head", err)
}

// FeedFrom reads the head, the segment that holds seq, and those behind, up to the head: 1 read unit, and one for every
// 4 KB of each query. Whoever has seen everything reads the head alone.
func (s *Store) FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (chat.FeedHead, []chat.Segment, error) {
	head, err := s.feedHead(ctx, room)
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
		// As many as would do if they were like this one: a busy room's are large.
		alike := (wanted + len(last.Changes) - 1) / len(last.Changes)
		page, err := s.segments(ctx, feedQuery{room: room, from: last.Last() + 1, to: head.Last, limit: min(alike, segmentsAtOnce)})
		if err != nil || len(page.segments) == 0 { // or removed since
			return head, found, err
		}
		found = append(found, page.segments...)
	}
}

// FeedSegment is one consistent read: 1 read unit for every 4 KB.
func (s *Store) FeedSegment(ctx context.Context, room chat.RoomID, first int64) (chat.Segment, error) {
	item, err := s.getItem(ctx, "read segment", table.SegmentKey(room, first))
	if err != nil {
		return chat.Segment{}, err
	}
	if item == nil {
		return chat.Segment{}, nil
	}
	segment, err := s.feeds.Parse(item)
	return segment, translate("read segment", err)
}

// segmentsAtOnce bounds one query for segments: a megabyte of what is usual.
const segmentsAtOnce = 25

// feedQuery asks for segments of a room's feed.
type feedQuery struct {
	room        chat.RoomID
	from, to    int64 // first numbers, both included; 0 is open
	newestFirst bool
	limit       int
	start       table.Item // where a former page ended
}

// feedPage is a part of what a feedQuery asks for.
type feedPage struct {
	segments []chat.Segment
	next     table.Item // nil at the end
}

// segments is one query.
func (s *Store) segments(ctx context.Context, q feedQuery) (feedPage, error) {
	if q.to == 0 {
		q.to = chat.MaxSeq
	}
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName:                &s.table,
		KeyConditionExpression:   aws.String("#pk = :pk AND #sk BETWEEN :from AND :to"),
		ExpressionAttributeNames: map[string]string{"#pk": table.PK, "#sk": table.SK},
		ExpressionAttributeValues: table.Item{
			":pk":   &types.AttributeValueMemberS{Value: table.FeedPK(q.room)},
			":from": &types.AttributeValueMemberS{Value: table.FeedSK(q.from)},
			":to":   &types.AttributeValueMemberS{Value: table.FeedSK(q.to)},
		},
		ScanIndexForward:       aws.Bool(!q.newestFirst),
		ConsistentRead:         aws.Bool(true),
		Limit:                  aws.Int32(int32(q.limit)),
		ExclusiveStartKey:      q.start,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return feedPage{}, translate("read feed", err)
	}
	s.used(ctx, Usage{Operation: "read feed", Items: len(out.Items)}, out.ConsumedCapacity)
	page := feedPage{next: out.LastEvaluatedKey}
	for _, item := range out.Items {
		segment, err := s.feeds.Parse(item)
		if err != nil {
			return feedPage{}, translate("read feed", err)
		}
		page.segments = append(page.segments, segment)
	}
	return page, nil
}

// MessagesByID is one consistent batch read: 1 read unit for every 4 KB of each.
func (s *Store) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	epochs, err := s.epochsOf(ctx, room)
	if err != nil {
		return nil, err
	}
	keys := make([]table.Item, len(ids))
	for i, id := range ids {
		keys[i] = table.MessageKey(room, shardOf(epochs, id), id)
	}
	items, err := s.batchGet(ctx, "read messages by id", keys)
	if err != nil {
		return nil, err
	}
	found := make(map[chat.MessageID]chat.Message, len(ids))
	for i, item := range items {
		if item == nil {
			continue
		}
		if found[ids[i]], err = table.ParseMessage(item); err != nil {
			return nil, translate("read messages by id", err)
		}
	}
	return found, nil
}

// PutReadMarker is one conditional update, 1 write unit; a refusal brings the marker that stands.
func (s *Store) PutReadMarker(ctx context.Context, m chat.ReadMarker) (chat.ReadMarker, error) {
	old, refused, err := s.updateItem(ctx, "put read marker", table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerUpdate(m))
	if err != nil || !refused {
		return m, err
	}
	standing, err := table.ParseReadMarker(old)
	return standing, translate("put read marker", err)
}

// Readings is one eventually consistent batch read for every 50 rooms: half a read unit for each head and each
// marker, also for those that are not there.
func (s *Store) Readings(ctx context.Context, user chat.UserID, rooms []chat.RoomID) (map[chat.RoomID]chat.FeedHead, map[chat.RoomID]chat.ReadMarker, error) {
	var keys []table.Item
	for _, room := range rooms {
		keys = append(keys, table.FeedHeadKey(room), table.ReadMarkerKey(room, user))
	}
	items, err := s.batchGetEventually(ctx, "read readings", keys)
	if err != nil {
		return nil, nil, err
	}
	heads, markers := map[chat.RoomID]chat.FeedHead{}, map[chat.RoomID]chat.ReadMarker{}
	for i, room := range rooms {
		if head := items[2*i]; head != nil {
			if heads[room], err = table.ParseFeedHead(head); err != nil {
				return nil, nil, translate("read readings", err)
			}
		}
		if marker := items[2*i+1]; marker != nil {
			if markers[room], err = table.ParseReadMarker(marker); err != nil {
				return nil, nil, translate("read readings", err)
			}
		}
	}
	return heads, markers, nil
}
