package live

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Position is the state of a connection's subscription to a room.
type Position struct {
	Room       chat.RoomID
	Head       feed.Head // zero unless Subscribed
	Subscribed bool      // false if the subscription has ended, or was never activated
	Reset      bool      // the feed cannot continue from the client's position
}

// Known is a room with a client's position in its feed.
type Known struct {
	Room  chat.RoomID
	Since chat.FeedPosition // zero if the client has none
}

// Positions returns the positions of all rooms of a connection. A connection that is not stored
// has none. A person who was removed from a room learns only that they are no longer subscribed.
//
// A position may lack the changes of the last second, which are sent to the connection, and a
// subscription that ended within it may still be listed. The next call shows both. An existing
// subscription is never reported as ended.
func (s *Service) Positions(ctx context.Context, c Connection) ([]Position, error) {
	o, found, err := s.connections.SeeConnection(ctx, c, chat.ServerTime(s.clock()))
	if err != nil || !found || len(o.Rooms) == 0 {
		return nil, err
	}
	return s.positions(ctx, c.ID, o.Rooms)
}

// PositionsOf is Positions for some rooms, whether or not the connection has them. It writes
// nothing, so the connection does not count as seen. It reports a Reset by a consistent read.
func (s *Service) PositionsOf(ctx context.Context, c Connection, known []Known) ([]Position, error) {
	rooms := make([]chat.RoomID, len(known))
	for i, k := range known {
		rooms[i] = k.Room
	}
	positions, err := s.positions(ctx, c.ID, rooms)
	for i := range positions {
		p := &positions[i]
		if err != nil || !p.Subscribed || !p.Head.MustReset(known[i].Since) {
			continue
		}
		// The client's position may be newer than the head that was read.
		p.Head, err = s.heads.CurrentFeedHead(ctx, p.Room)
		p.Reset = p.Head.MustReset(known[i].Since)
	}
	return positions, err
}

// positions returns the positions of a connection's rooms.
func (s *Service) positions(ctx context.Context, id ConnectionID, rooms []chat.RoomID) ([]Position, error) {
	subscribed, err := s.subscribed(ctx, id, rooms)
	if err != nil {
		return nil, err
	}
	heads, err := s.heads.FeedHeads(ctx, subscribed)
	if err != nil {
		return nil, err
	}
	return positionsOf(rooms, subscribed, heads), nil
}

// subscribed returns the rooms, among some, from which a connection receives changes. It rereads
// consistently only subscriptions that seem to have ended: the others cost half as much.
func (s *Service) subscribed(
	ctx context.Context, id ConnectionID, rooms []chat.RoomID,
) (subscribed []chat.RoomID, err error) {
	for _, consistent := range []bool{false, true} {
		all, err := s.lookup.SubscriptionsOf(ctx, id, rooms, consistent)
		if err != nil {
			return nil, err
		}
		now := s.clock()
		if err := s.ends.updateSubscriptions(ctx, now, all); err != nil {
			return nil, err
		}
		for _, sub := range all {
			if sub.receives(now) {
				subscribed = append(subscribed, sub.Room)
			}
		}
		if rooms = without(rooms, subscribed); len(rooms) == 0 {
			break
		}
	}
	return subscribed, nil
}

// without returns the rooms that are not among others.
func without(rooms, others []chat.RoomID) []chat.RoomID {
	return slices.DeleteFunc(slices.Clone(rooms), func(room chat.RoomID) bool { return slices.Contains(others, room) })
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
