package live

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// Opened is a stored connection.
type Opened struct {
	Connection
	Rooms []chat.RoomID // rooms to which it has subscribed, or was about to
	Since time.Time     // when it was stored
	Seen  time.Time     // its last hello, subscribe or sync
}

// ConnectionRows stores connections. Its methods are consistent, and return errors as Rows does.
type ConnectionRows interface {
	// AddRooms stores a connection with rooms, or adds rooms to a stored one, and sets Seen.
	// created reports which. The error is TooManyRooms if the connection would have more than
	// MaxRooms.
	AddRooms(ctx context.Context, c Connection, rooms []chat.RoomID, now time.Time) (created bool, err error)
	// RemoveRooms removes rooms from a connection, if it is stored.
	RemoveRooms(ctx context.Context, c Connection, rooms []chat.RoomID) error
	// SeeConnection sets Seen of a connection and returns it; found is false if it is not stored.
	SeeConnection(ctx context.Context, c Connection, now time.Time) (o Opened, found bool, err error)
	// RenewConnection is SeeConnection, and sets Until.
	RenewConnection(ctx context.Context, c Connection, now time.Time) (o Opened, found bool, err error)
	// ConnectionEnds returns Until of each connection that is stored.
	ConnectionEnds(ctx context.Context, all []Connection) (map[ConnectionID]time.Time, error)
	// DeleteConnection removes a connection and returns it; found is false if it was not stored.
	DeleteConnection(ctx context.Context, c Connection) (o Opened, found bool, err error)
	// Connections returns the connections of a person, including expired ones.
	Connections(ctx context.Context, user chat.UserID) ([]Opened, error)
	// PutGone records for some minutes that a connection has ended.
	PutGone(ctx context.Context, id ConnectionID, now time.Time) error
	// IsGone reports whether PutGone has recorded a connection.
	IsGone(ctx context.Context, id ConnectionID) (bool, error)
}

// GoneLife is how long it is remembered that a connection has ended: longer than any request of the
// connection can run.
const GoneLife = 5 * time.Minute

// TooManyRooms returns the error for a connection that would have more than MaxRooms rooms.
func TooManyRooms() error {
	return &chat.Error{
		Kind: chat.Conflict, Field: "rooms",
		Detail: "a connection subscribes to at most 100 rooms; unsubscribe from one first",
	}
}

// TooManyConnections returns the error for a person who has MaxConnections connections already.
func TooManyConnections() error {
	return &chat.Error{
		Kind: chat.Conflict, Detail: "you have as many connections as possible; close one first", Cause: ErrConnections,
	}
}

// Open stores a connection with the rooms to which it is about to subscribe, or adds rooms to it.
// It is called before each Subscribe, so that Disconnect finds every subscription.
//
// The error is TooManyConnections if the person has MaxConnections older ones, and otherwise
// TooManyRooms. In both cases nothing is stored. People who open several connections concurrently
// may exceed the limit by that many.
func (s *Service) Open(ctx context.Context, c Connection, rooms []chat.RoomID) error {
	if len(rooms) > MaxRooms {
		return TooManyRooms()
	}
	now := chat.ServerTime(s.clock())
	created, err := s.connections.AddRooms(ctx, c, rooms, now)
	if err != nil || !created {
		return err
	}
	all, err := s.connections.Connections(ctx, c.User)
	if err != nil || s.isAmongOldest(c.ID, all, now) {
		return err
	}
	if _, _, err := s.connections.DeleteConnection(ctx, c); err != nil {
		return err
	}
	return TooManyConnections()
}

// isAmongOldest reports whether fewer than MaxConnections live connections are older than one.
// Connections stored concurrently use the same order, so the first ones stay.
func (s *Service) isAmongOldest(id ConnectionID, all []Opened, now time.Time) bool {
	all = slices.DeleteFunc(all, func(o Opened) bool {
		return o.ID != id && (!now.Before(o.Until) || now.Sub(o.Seen) > maxSilence)
	})
	slices.SortFunc(all, func(a, b Opened) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return slices.IndexFunc(all, func(o Opened) bool { return o.ID == id }) < MaxConnections
}

// HangUp is Disconnect for a connection that has ended. It first records the end, so that a
// concurrent Subscribe fails.
func (s *Service) HangUp(ctx context.Context, c Connection) ([]chat.RoomID, error) {
	goneErr := s.connections.PutGone(ctx, c.ID, s.clock())
	rooms, err := s.Disconnect(ctx, c)
	return rooms, errors.Join(goneErr, err)
}

// Disconnect deletes a connection with its subscriptions, and returns the rooms to which it had an
// active one. It succeeds if the connection is not stored.
func (s *Service) Disconnect(ctx context.Context, c Connection) ([]chat.RoomID, error) {
	_, left, err := disconnect(ctx, s.rows, s.connections, c)
	return left, err
}

// disconnect deletes the subscriptions before the connection, so a retry finds the remaining ones.
// It returns the rooms of the connection, and the rooms to which it had an active subscription.
func disconnect(
	ctx context.Context, rows Rows, connections ConnectionRows, c Connection,
) (rooms, left []chat.RoomID, err error) {
	all, err := connections.Connections(ctx, c.User)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(all, func(o Opened) bool { return o.ID == c.ID })
	if i < 0 {
		return nil, nil, nil
	}
	rooms = all[i].Rooms
	if left, err = rows.Leave(ctx, c, rooms); err != nil {
		return nil, nil, err
	}
	o, _, err := connections.DeleteConnection(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	added := slices.DeleteFunc(o.Rooms, func(room chat.RoomID) bool { return slices.Contains(rooms, room) })
	leftToo, err := rows.Leave(ctx, c, added)
	return append(rooms, added...), append(left, leftToo...), err
}
