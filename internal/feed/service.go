// Package feed serves the feeds of rooms.
//
// A room's feed is one sequence of changes with consecutive numbers, stored in segments. Package
// stream appends to it. A client continues from its last position, and misses nothing.
package feed

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

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
