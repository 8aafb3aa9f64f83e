package live

import (
	"context"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// Heads reads the heads of feeds.
type Heads interface {
	// FeedHead returns the current head of a room's feed; the zero Head before the first change.
	FeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error)
}

// Service subscribes connections to rooms. It is safe for concurrent use.
type Service struct {
	rows  Rows
	rooms chat.Authorizer
	heads Heads
}

// NewService returns a service.
func NewService(rows Rows, rooms chat.Authorizer, heads Heads) *Service {
	return &Service{rows: rows, rooms: rooms, heads: heads}
}

// Subscribe subscribes a connection to a room, and returns the head of the room's feed. The
// connection receives every change after the head. attempt must be unique among the requests of the
// connection.
//
// The error is Conflict if another request of the connection has changed the subscription
// meanwhile, or if the person has been removed. Otherwise it is as for the method Authorize of
// chat.Authorizer. After an error, the connection receives nothing from the room.
func (s *Service) Subscribe(ctx context.Context, c Connection, attempt string, room chat.RoomID) (feed.Head, error) {
	sub := Subscription{Room: room, Connection: c, Attempt: attempt}
	if err := s.rows.PutPending(ctx, sub); err != nil {
		return feed.Head{}, err
	}
	if _, err := s.rooms.Authorize(ctx, c.User, room, policy.Read); err != nil {
		return feed.Head{}, err // the pending subscription receives nothing until it expires
	}
	ok, err := s.rows.Activate(ctx, sub)
	if err != nil {
		return feed.Head{}, err
	}
	if !ok {
		return feed.Head{}, &chat.Error{Kind: chat.Conflict, Detail: "the subscription changed meanwhile; subscribe again"}
	}
	return s.heads.FeedHead(ctx, room)
}

// Unsubscribe ends a connection's subscription to a room. It succeeds if there is none.
func (s *Service) Unsubscribe(ctx context.Context, c Connection, room chat.RoomID) error {
	_, err := s.rows.Delete(ctx, []Subscription{{Room: room, Connection: c}})
	return err
}

// RemoveUser ends the subscriptions of a person who may no longer read a room. It is called after a
// change of their membership, and before that change is acknowledged, also if a retry finds the
// change made.
func (s *Service) RemoveUser(ctx context.Context, room chat.RoomID, user chat.UserID) error {
	_, err := expel(ctx, s.rows, s.rooms, chat.MemberOf{Room: room, User: user})
	return err
}

// RemoveRoom ends all subscriptions to a room, after its deletion and before that is acknowledged.
func (s *Service) RemoveRoom(ctx context.Context, room chat.RoomID) error {
	all, err := s.rows.Subscriptions(ctx, room)
	if err != nil {
		return err
	}
	_, err = s.rows.Delete(ctx, all)
	return err
}

// expel deletes the subscriptions of a person who may not read a room. It reads them before it
// checks the access, and deletes them only in that state: a person who has been admitted again
// meanwhile keeps what was activated since. It reports whether the person keeps any.
func expel(ctx context.Context, rows Rows, rooms chat.Authorizer, of chat.MemberOf) (keeps bool, err error) {
	for range chat.MaxChangeTries {
		all, err := rows.Subscriptions(ctx, of.Room)
		if err != nil {
			return false, err
		}
		theirs := ofUser(all, of.User)
		if len(theirs) == 0 {
			return false, nil
		}
		_, err = rooms.Authorize(ctx, of.User, of.Room, policy.Read)
		if kind := chat.KindOf(err); kind != chat.NotFound && kind != chat.Forbidden {
			return err == nil, err
		}
		if done, err := rows.Delete(ctx, theirs); done || err != nil {
			return false, err
		}
	}
	return false, chat.TooBusy()
}

// ofUser returns the subscriptions of a person.
func ofUser(all []Subscription, user chat.UserID) (theirs []Subscription) {
	for _, s := range all {
		if s.Connection.User == user {
			theirs = append(theirs, s)
		}
	}
	return theirs
}
