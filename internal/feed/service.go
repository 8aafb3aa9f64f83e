// Package feed serves the feeds of rooms.
//
// A room's feed is one sequence of changes with consecutive numbers, stored in segments. Package
// stream appends to it. A client continues from its last position, and misses nothing.
package feed

import (
	"context"
	"errors"
	"time"

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

// Service reads the feeds of rooms. It is safe for concurrent use.
type Service struct {
	store Store
	rooms *chat.Service
	clock func() time.Time
}

// NewService returns a Service.
func NewService(store Store, rooms *chat.Service, clock func() time.Time) *Service {
	return &Service{store: store, rooms: rooms, clock: clock}
}

// Positions implements chat.FeedPositions using the heads of feeds.
type Positions struct {
	store Store
	clock func() time.Time
}

// NewPositions returns the positions of the feeds in a store.
func NewPositions(store Store, clock func() time.Time) *Positions {
	return &Positions{store: store, clock: clock}
}

// FeedPosition returns the position up to which all changes show in listings of the room that
// began at a time or later. If the feed was written since, or reading the head was slow, late is
// true: the position then holds only for listings that begin after the call. The error is NotFound
// if the room is deleted. It consumes 1 read unit, because a deletion must show immediately.
func (p *Positions) FeedPosition(
	ctx context.Context, room chat.RoomID, began time.Time,
) (at chat.FeedPosition, late bool, err error) {
	head, err := p.store.CurrentFeedHead(ctx, room)
	if err != nil {
		return chat.FeedPosition{}, false, err
	}
	if head.Closed {
		return chat.FeedPosition{}, false, chat.NoSuchRoom()
	}
	if head.Last == 0 {
		return chat.FeedPosition{}, false, nil
	}
	now := p.clock()
	if late = head.WrittenAt.After(began) || now.Sub(began) > maxBeside; !late {
		now = began
	}
	return chat.FeedPosition{Seq: head.SettledAt(now), Generation: head.Generation}, late, nil
}

// MessageCount returns the number of messages created in the room up to the end of its feed. It
// consumes half a read unit.
func (p *Positions) MessageCount(ctx context.Context, room chat.RoomID) (int64, error) {
	head, err := p.store.FeedHead(ctx, room)
	return head.Count, err
}
