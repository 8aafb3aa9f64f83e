package dynamo

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/table"
)

// OwnRooms of all rooms is two concurrent eventual queries: half a read unit for every 4 KB of
// memberships, and of markers. With 30 of each that is 2 units. Of some rooms it is two concurrent
// eventual batch reads: 1 unit for each room.
func (s *Store) OwnRooms(
	ctx context.Context, user chat.UserID, among []chat.RoomID,
) ([]chat.Membership, map[chat.RoomID]inbox.ReadMarker, error) {
	var memberships []chat.Membership
	var markers []inbox.ReadMarker
	of := ownRooms{user, among}
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		memberships, err = ownItemsAmong(ctx, s.table, of, table.MemberSK, table.ParseMember)
		return err
	})
	both.Go(func() (err error) {
		markers, err = ownItemsAmong(ctx, s.table, of, table.ReadSK, table.ParseReadMarker)
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, nil, err
	}
	byRoom := make(map[chat.RoomID]inbox.ReadMarker, len(markers))
	for _, m := range markers {
		byRoom[m.Room] = m
	}
	return memberships, byRoom, nil
}

// OwnItems reads a person's items whose sort keys have a prefix.
func OwnItems[T any](
	ctx context.Context, t *Table, user chat.UserID, prefix string, parse func(table.Item) (T, error),
) ([]T, error) {
	q := Query{
		Operation: "list own " + prefix, Partition: table.PersonPK(user), Keys: WithPrefix(prefix),
		Consistency: Eventual,
	}
	return QueryAll(ctx, t, q, parse)
}

// ownRooms selects a person's items about rooms: about all if among is nil.
type ownRooms struct {
	user  chat.UserID
	among []chat.RoomID
}

// ownItemsAmong reads the existing items of one kind that a person has about rooms.
func ownItemsAmong[T any](
	ctx context.Context, t *Table, of ownRooms, sortKey func(chat.RoomID) string, parse func(table.Item) (T, error),
) ([]T, error) {
	if of.among == nil {
		return OwnItems(ctx, t, of.user, sortKey(""), parse)
	}
	const op = "read own items"
	keys := make([]table.Item, len(of.among))
	for i, room := range of.among {
		keys[i] = table.Key(table.PersonPK(of.user), sortKey(room))
	}
	items, err := t.BatchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, err
	}
	var all []T
	for _, item := range items {
		v, found, err := ParseItem(op, item, nil, parse)
		if err != nil {
			return nil, err
		}
		if found {
			all = append(all, v)
		}
	}
	return all, nil
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

// Summaries is one eventual batch read for every 100 items, all concurrent: half a read unit for
// each room, and half a unit for every 4 KB of each message.
func (s *Store) Summaries(ctx context.Context, rooms []inbox.SummaryRequest) ([]inbox.Summary, error) {
	const op = "read summaries"
	keys := make([]table.Item, 0, 2*len(rooms))
	for _, r := range rooms {
		keys = append(keys, table.MetadataKey(r.Room))
	}
	for _, r := range rooms {
		if r.Newest.Known() {
			keys = append(keys, table.MessageKey(r.Room, r.Newest.Shard-1, r.Newest.Message))
		}
	}
	items, err := s.table.BatchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, err
	}
	summaries := make([]inbox.Summary, len(rooms))
	messages := items[len(rooms):]
	for i, r := range rooms {
		room, found, err := ParseItem(op, items[i], nil, table.ParseMetadata)
		if err != nil {
			return nil, err
		}
		if found && !room.Deleted {
			summaries[i].Room = &room
		}
		if !r.Newest.Known() {
			continue
		}
		message, found, err := ParseItem(op, messages[0], nil, table.ParseMessage)
		if err != nil {
			return nil, err
		}
		if found {
			summaries[i].Message = &message
		}
		messages = messages[1:]
	}
	return summaries, nil
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
