package chat

import "context"

// FeedStore reads what the feed function writes, and keeps how far people have read.
type FeedStore interface {
	// FeedHead returns the end of a room's feed, or the zero FeedHead when there is
	// none yet. What was written within the last second or so may be missing.
	FeedHead(ctx context.Context, room RoomID) (FeedHead, error)
	// FeedFrom returns the end of a feed as last written and its segments from the one that holds
	// seq on, in order, until they hold limit changes from seq on or the feed ends: what is behind its
	// end is not there yet. Where seq was
	// removed, they begin with the next one that is left, or else with the last one before. There are none when the
	// feed does not go that far.
	FeedFrom(ctx context.Context, room RoomID, seq int64, limit int) (head FeedHead, segments []Segment, err error)
	// MessagesByID returns those of some messages that exist, as last written.
	MessagesByID(ctx context.Context, room RoomID, ids []MessageID) (map[MessageID]Message, error)
	// MembersByUser returns the memberships of those of some people who are In a room, as last
	// written.
	MembersByUser(ctx context.Context, room RoomID, users []UserID) (map[UserID]Membership, error)
	// PutReadMarker moves a person's marker in a room forward, never back, and returns the
	// one that stands.
	PutReadMarker(ctx context.Context, marker ReadMarker) (standing ReadMarker, err error)
	// Readings returns the ends of rooms' feeds and a person's markers in them, those that there are. What was
	// written within the last second or so may be missing.
	Readings(ctx context.Context, user UserID, rooms []RoomID) (heads map[RoomID]FeedHead, markers map[RoomID]ReadMarker, err error)
}

// ReadMarker says how far somebody has read in a room.
type ReadMarker struct {
	Room RoomID
	User UserID
	Seq  int64 // all changes up to this one were seen
	// Count is how many messages had been created in the room up to Seq.
	Count int64
}
