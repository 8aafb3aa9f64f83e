package feed

import (
	"context"
	"errors"

	"example.com/parley/internal/chat"
)

// ErrClosed is the error for the feed of a deleted room, which accepts no more changes.
var ErrClosed = errors.New("the feed is closed, because its room is deleted")

// Store reads feeds. All methods return a *chat.Error of kind Unavailable if the store cannot
// answer now.
type Store interface {
	// FeedHead returns the end of a room's feed, or the zero Head if the room has no feed yet. It
	// is eventually consistent: a write within about the last second may be missing.
	FeedHead(ctx context.Context, room chat.RoomID) (Head, error)
	// CurrentFeedHead is FeedHead by a consistent read.
	CurrentFeedHead(ctx context.Context, room chat.RoomID) (Head, error)
	// SegmentsFrom returns, in order, segments of the feed with that head. They begin with the one
	// that holds seq, and end when they hold limit changes from seq on, or at the head. If the
	// segment of seq was removed, they begin with the next one, or else with the last one before
	// it. If the feed ends before seq, it returns none. No segment up to the head is missing, no
	// matter how stale eventual reads are.
	SegmentsFrom(ctx context.Context, head Head, seq int64, limit int) ([]Segment, error)
	// MessagesByID returns the messages that exist, by consistent reads.
	MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
	chat.MessageSource
	// MessagesWithin is MessagesSoon for messages that the room lists and that were probably
	// received within the range. It may leave out any of them, starting at the end of the range.
	MessagesWithin(
		ctx context.Context, span chat.MessageRange, ids []chat.MessageID,
	) (map[chat.MessageID]chat.Message, error)
	// MembersByUser returns the memberships of the users who are In the room, by consistent reads.
	MembersByUser(ctx context.Context, room chat.RoomID, users []chat.UserID) (map[chat.UserID]chat.Membership, error)
}

// SegmentRange selects segments of a room's feed by their first numbers. Both ends are included.
type SegmentRange struct {
	Room        chat.RoomID
	First, Last int64
	Limit       int
	Consistent  bool
}
