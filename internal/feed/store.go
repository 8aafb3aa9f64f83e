package feed

import (
	"context"
	"errors"

	"parley/internal/chat"
)

// ErrClosed is the error for the feed of a deleted room, which takes nothing more.
var ErrClosed = errors.New("the feed is closed, because its room is deleted")

// Store reads feeds. All methods return a *chat.Error of kind Unavailable if the store cannot
// answer at present.
type Store interface {
	// FeedHead returns the end of a room's feed, or the zero Head if the room has no feed yet. It
	// is eventually consistent: a write of the last second may be missing.
	FeedHead(ctx context.Context, room chat.RoomID) (Head, error)
	// CurrentFeedHead is FeedHead by a consistent read.
	CurrentFeedHead(ctx context.Context, room chat.RoomID) (Head, error)
	// SegmentsFrom returns segments of a feed with that head in order. They begin with the one that
	// holds seq, and end when they hold limit changes from seq on, or at the head. If the segment
	// of seq was removed, they begin with the next one, or else with the last one before it. If the
	// feed ends before seq, there are none. No segment up to the head is missing, however far
	// eventual reads are behind.
	SegmentsFrom(ctx context.Context, head Head, seq int64, limit int) ([]Segment, error)
	// MessagesByID returns those of the messages that exist, by consistent reads.
	MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
	chat.MessageSource
	// MessagesWithin is MessagesSoon of messages that the room lists and that were probably
	// received within the range. It may leave out any of them, those at the end of the range first.
	MessagesWithin(ctx context.Context, span chat.MessageRange, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error)
	// MembersByUser returns the memberships of those users who are In the room, by consistent
	// reads.
	MembersByUser(ctx context.Context, room chat.RoomID, users []chat.UserID) (map[chat.UserID]chat.Membership, error)
}
