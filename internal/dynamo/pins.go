package dynamo

import (
	"context"

	"parley/internal/chat"
	"parley/internal/pin"
	"parley/internal/table"
)

// Pin is one conditional update: 1 write unit for each KB of the room's pins, some 80 bytes each. If
// an attempt of this call pinned the message, and only its answer was lost, the pin is returned as
// it is.
func (s *Store) Pin(ctx context.Context, room chat.RoomID, p pin.Pin, limit int) (pin.Pin, bool, error) {
	const op = "pin"
	existing, failed, err := s.table.UpdateItem(ctx, op, table.PinsKey(room), table.PinUpdate(room, p, limit))
	if err != nil || !failed {
		return p, err == nil, err
	}
	pins, err := table.ParsePins(existing)
	for _, other := range pins {
		if other.Message == p.Message {
			return other, true, nil
		}
	}
	return pin.Pin{}, false, translate(op, err)
}

// Unpin is one conditional update: 1 write unit for each KB of the room's pins.
func (s *Store) Unpin(ctx context.Context, room chat.RoomID, id chat.MessageID) (bool, error) {
	_, failed, err := s.table.UpdateItem(ctx, "unpin", table.PinsKey(room), table.UnpinUpdate(room, id))
	return err == nil && !failed, err
}

// Pins is one read: 1 read unit for every 4 KB, a half if recent is false.
func (s *Store) Pins(ctx context.Context, room chat.RoomID, recent bool) ([]pin.Pin, error) {
	const op = "read pins"
	read := ReadEventual[[]pin.Pin]
	if recent {
		read = ReadStrong[[]pin.Pin]
	}
	pins, _, err := read(ctx, s.table, op, table.PinsKey(room), table.ParsePins)
	return pins, err
}
