package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/table"
)

// PutReadMarker is one conditional update: 1 write unit. If the condition does not hold it returns
// the existing marker. A second update follows if the marker is between the existing one and its
// receipt.
func (s *Store) PutReadMarker(ctx context.Context, m inbox.ReadMarker) (inbox.ReadMarker, error) {
	const op = "put read marker"
	for {
		item, failed, err := s.table.UpdateItem(ctx, op, table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerUpdate(m))
		if err != nil || !failed {
			return m, err
		}
		existing, err := table.ParseReadMarker(item)
		if err != nil || existing.Seq >= m.Seq || m.Receipt == (inbox.Receipt{}) {
			return existing, translate(op, err)
		}
		m.Receipt = inbox.Receipt{}
	}
}

// ReadMarkers is one eventual batch read for every 100 users: half a read unit each, even for
// users without a marker.
func (s *Store) ReadMarkers(
	ctx context.Context, room chat.RoomID, users []chat.UserID,
) (map[chat.UserID]inbox.ReadMarker, error) {
	const op = "read markers"
	keys := make([]table.Item, len(users))
	for i, user := range users {
		keys[i] = table.ReadMarkerKey(room, user)
	}
	items, err := s.table.BatchGet(ctx, op, keys, Eventual)
	if err != nil {
		return nil, err
	}
	markers := map[chat.UserID]inbox.ReadMarker{}
	for i, item := range items {
		m, found, err := ParseItem(op, item, nil, table.ParseReadMarker)
		if err != nil {
			return nil, err
		}
		if found {
			markers[users[i]] = m
		}
	}
	return markers, nil
}

// PutPreferences is one update: 1 write unit.
func (s *Store) PutPreferences(ctx context.Context, of chat.MemberOf, p inbox.Preferences) error {
	_, _, err := s.table.UpdateItem(
		ctx, "put preferences", table.ReadMarkerKey(of.Room, of.User), table.PreferencesUpdate(p),
	)
	return err
}

// SetReadMarker is one update: 1 write unit.
func (s *Store) SetReadMarker(ctx context.Context, m inbox.ReadMarker) error {
	_, _, err := s.table.UpdateItem(
		ctx, "set read marker", table.ReadMarkerKey(m.Room, m.User), table.ReadMarkerMove(m),
	)
	return err
}
