package chat

import (
	"context"
	"time"
)

// FeedService reads the feeds of rooms and keeps read markers. It is safe for concurrent use.
type FeedService struct {
	store FeedStore
	rooms FeedRooms
	clock func() time.Time
}

// FeedRooms is the chat that a FeedService belongs to.
type FeedRooms interface {
	Authorizer
	// Memberships lists the caller's memberships by room.
	Memberships(ctx context.Context, caller, user UserID, page PageRequest) (Page[Membership], error)
}

// NewFeedService returns a service.
func NewFeedService(store FeedStore, rooms FeedRooms, clock func() time.Time) *FeedService {
	return &FeedService{store: store, rooms: rooms, clock: clock}
}

// Positions implements FeedPositions on the heads of feeds.
type Positions struct {
	store FeedStore
	clock func() time.Time
}

// NewPositions returns the positions of the feeds in a store.
func NewPositions(store FeedStore, clock func() time.Time) *Positions {
	return &Positions{store: store, clock: clock}
}

// FeedPosition returns the position up to which all changes show in the room's listings. It reads half a unit.
func (p *Positions) FeedPosition(ctx context.Context, room RoomID) (FeedPosition, error) {
	head, err := p.store.FeedHead(ctx, room)
	if err != nil || head.Last == 0 {
		return FeedPosition{}, err
	}
	return FeedPosition{Seq: head.SettledAt(p.clock()), Generation: head.Generation}, nil
}

// MessageCount returns the number of messages created in the room up to the end of its feed. It
// reads half a unit.
func (p *Positions) MessageCount(ctx context.Context, room RoomID) (int64, error) {
	head, err := p.store.FeedHead(ctx, room)
	return head.Count, err
}
