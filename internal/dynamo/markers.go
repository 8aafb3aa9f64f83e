package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/inbox"
	"parley/internal/table"
)

// PutReadMarker is one conditional update: 1 write unit. If the condition does not hold it returns
// the existing marker.
func (s *Store) PutReadMarker(ctx context.Context, m inbox.ReadMarker) (inbox.ReadMarker, error) {
	item, failed, err := s.table.updateItem(ctx, "put read marker", table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerUpdate(m))
	if err != nil || !failed {
		return m, err
	}
	existing, err := table.ParseReadMarker(item)
	return existing, translate("put read marker", err)
}

// Readings is one eventual batch read for every 50 rooms: half a read unit for each head and each
// marker, also for missing ones.
func (s *Store) Readings(ctx context.Context, user chat.UserID, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, map[chat.RoomID]inbox.ReadMarker, error) {
	var keys []table.Item
	for _, room := range rooms {
		keys = append(keys, table.FeedHeadKey(room), table.ReadMarkerKey(room, user))
	}
	const op = "read readings"
	items, err := s.table.batchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, nil, err
	}
	heads, markers := map[chat.RoomID]feed.Head{}, map[chat.RoomID]inbox.ReadMarker{}
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
