package inbox

import (
	"context"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Store stores read markers, and reads the feeds that they refer to. All methods return a
// *chat.Error of kind Unavailable if the store cannot answer at present.
type Store interface {
	// FeedFrom is as in feed.Store.
	FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (head feed.Head, segments []feed.Segment, err error)
	// PutReadMarker moves a person's marker in a room forward, never back. It returns the stored
	// marker.
	PutReadMarker(ctx context.Context, marker ReadMarker) (stored ReadMarker, err error)
	// Readings returns the existing heads of rooms' feeds, and the existing markers of a person in
	// these rooms. It is eventually consistent: a write of the last second may be missing.
	Readings(ctx context.Context, user chat.UserID, rooms []chat.RoomID) (heads map[chat.RoomID]feed.Head, markers map[chat.RoomID]ReadMarker, err error)
}
