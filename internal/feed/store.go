package feed

import (
	"context"

	"parley/internal/chat"
)

// Store reads what the feed function writes, and keeps how far people have read.
type Store interface {
	// FeedHead returns the end of a room's feed, or the zero FeedHead when there is none yet. What
	// was written within the last second or so may be missing.
	FeedHead(ctx context.Context, room chat.RoomID) (Head, error)
	// FeedFrom returns the end of a feed as last written and its segments from the one that holds
	// seq on, in order, until they hold limit changes from seq on or the feed ends: what is behind
	// its end is not there yet. Where seq was removed, they begin with the next one that is left,
	// or else with the last one before. There are none when the feed does not go that far.
	FeedFrom(ctx context.Context, room chat.RoomID, seq int64, limit int) (head Head, segments []Segment, err error)
	// MessagesByID returns those of some messages that exist, as last written.
	MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
	// MembersByUser returns the memberships of those of some people who are In a room, as last
	// written.
	MembersByUser(ctx context.Context, room chat.RoomID, users []chat.UserID) (map[chat.UserID]chat.Membership, error)
	// PutReadMarker moves a person's marker in a room forward, never back, and returns the one that
	// stands.
	PutReadMarker(ctx context.Context, marker ReadMarker) (standing ReadMarker, err error)
	// Readings returns the ends of rooms' feeds and a person's markers in them, those that there
	// are. What was written within the last second or so may be missing.
	Readings(ctx context.Context, user chat.UserID, rooms []chat.RoomID) (heads map[chat.RoomID]Head, markers map[chat.RoomID]ReadMarker, err error)
}

// ReadMarker says how far somebody has read in a room.
type ReadMarker struct {
	Room chat.RoomID
	User chat.UserID
	Seq  int64 // all changes up to this one were seen
	// Count is how many messages had been created in the room up to Seq.
	Count int64
}
