package live

import (
	"context"

	"parley/internal/chat"
	"parley/internal/feed"
)

// Position is the state of a connection's subscription to a room.
type Position struct {
	Room       chat.RoomID
	Head       feed.Head // zero unless Subscribed
	Subscribed bool      // false if the subscription has ended, or was never activated
}

// Positions returns the positions of all rooms of a connection, by consistent reads. A connection
// that is not stored has none. A person who was removed from a room learns only that they are no
// longer subscribed.
func (s *Service) Positions(ctx context.Context, c Connection) ([]Position, error) {
	o, found, err := s.connections.SeeConnection(ctx, c, chat.ServerTime(s.clock()))
	if err != nil || !found || len(o.Rooms) == 0 {
		return nil, err
	}
	all, err := s.lookup.SubscriptionsOf(ctx, c.ID, o.Rooms)
	if err != nil {
		return nil, err
	}
	var subscribed []chat.RoomID
	for _, sub := range all {
		if sub.receives(s.clock()) {
			subscribed = append(subscribed, sub.Room)
		}
	}
	heads, err := s.heads.CurrentFeedHeads(ctx, subscribed)
	if err != nil {
		return nil, err
	}
	return positionsOf(o.Rooms, subscribed, heads), nil
}

// positionsOf returns the positions of rooms. A deleted room has a closed feed, and no longer any
// subscriptions.
func positionsOf(rooms, subscribed []chat.RoomID, heads map[chat.RoomID]feed.Head) []Position {
	isSubscribed := map[chat.RoomID]bool{}
	for _, room := range subscribed {
		isSubscribed[room] = !heads[room].Closed
	}
	positions := make([]Position, len(rooms))
	for i, room := range rooms {
		positions[i].Room = room
		if isSubscribed[room] {
			positions[i].Subscribed, positions[i].Head = true, heads[room]
		}
	}
	return positions
}
