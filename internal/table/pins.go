package table

import (
	"example.com/parley/internal/chat"
)

// PinsKey returns the primary key of the pinned messages of a room.
func PinsKey(room chat.RoomID) Item { return Key(RoomItemsPK(room), skPins) }
