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

// feedHead is FeedHead by a strong read: 1 read unit.
func (s *Store) feedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, _, err := getStrong(ctx, s.table, "read feed head", table.FeedHeadKey(room), table.ParseFeedHead)
	return head, err
}

// FeedFrom reads the head, the segment that holds seq, and those after it, up to the head. It costs
// 1 read unit, and one for every 4 KB of each query. For a seq beyond the head it reads the head
// alone.
func (s *Store) FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (feed.Head, []feed.Segment, error) {
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
	items, next, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.FeedPK(q.room), Keys: between(table.FeedSK(q.from), table.FeedSK(q.to)),
		Consistency: Strong, NewestFirst: q.newestFirst, Limit: q.limit, Start: q.start,
	})
	if err != nil {
		return feedPage{}, err
	}
	segments, err := parseItems(op, items, s.feeds.Parse)
	return feedPage{segments: segments, next: next}, err
}

// MessagesByID is one strong batch read: 1 read unit for every 4 KB of each.
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
	items, err := s.table.batchGet(ctx, "read messages by id", keys, Strong)
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

// MembersByUser is one strong batch read for every 100 people: 1 read unit each, also for those
// who are not in the room.
func (s *Store) MembersByUser(ctx context.Context, room chat.RoomID, users []chat.UserID) (map[chat.UserID]chat.Membership, error) {
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = table.MemberKey(room, user)
	}
	items, err := s.table.batchGet(ctx, "read members by user", keys, Strong)
	if err != nil {
		return nil, err
	}
	found := make(map[chat.UserID]chat.Membership, len(users))
	for i, item := range items {
		if item == nil {
			continue
		}
		if found[users[i]], err = table.ParseMember(item); err != nil {
			return nil, translate("read members by user", err)
		}
	}
	return found, nil
}

// PutReadMarker is one conditional update: 1 write unit. If the condition does not hold it returns
// the existing marker.
func (s *Store) PutReadMarker(ctx context.Context, m feed.ReadMarker) (feed.ReadMarker, error) {
	item, failed, err := s.table.updateItem(ctx, "put read marker", table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerUpdate(m))
	if err != nil || !failed {
		return m, err
	}
	existing, err := table.ParseReadMarker(item)
	return existing, translate("put read marker", err)
}

// Readings is one eventual batch read for every 50 rooms: half a read unit for each head and each
// marker, also for missing ones.
func (s *Store) Readings(ctx context.Context, user chat.UserID, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, map[chat.RoomID]feed.ReadMarker, error) {
	var keys []table.Item
	for _, room := range rooms {
		keys = append(keys, table.FeedHeadKey(room), table.ReadMarkerKey(room, user))
	}
	const op = "read readings"
	items, err := s.table.batchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, nil, err
	}
	heads, markers := map[chat.RoomID]feed.Head{}, map[chat.RoomID]feed.ReadMarker{}
	for i, room := range rooms {
		head, found, err := parseItem(op, items[2*i], nil, table.ParseFeedHead)
		if err != nil {
			return nil, nil, err
		}
		if found {
			heads[room] = head
		}
		marker, found, err := parseItem(op, items[2*i+1], nil, table.ParseReadMarker)
		if err != nil {
			return nil, nil, err
		}
		if found {
			markers[room] = marker
		}
	}
	return heads, markers, nil
}
