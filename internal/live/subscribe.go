package live

import (
	"context"
	"errors"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// roomsAtOnce bounds the rooms of one call that are processed concurrently. Thirty rooms need one
// round, and the store's client keeps connections for them.
const roomsAtOnce = 32

// Subscribed is the result of a subscription to one room.
type Subscribed struct {
	Head feed.Head // of the room's feed; the connection receives every change after it
	Err  error     // the connection receives nothing from the room
}

// Subscribe subscribes a connection to rooms, and returns the result for each, in the same order.
// attempt must be unique among the requests of the connection. Open must have stored the rooms
// with the connection.
//
// The error of a room is Conflict if another request of the connection has changed the
// subscription meanwhile, or if the person has been removed. Otherwise it is as for the method
// Authorize of chat.Authorizer.
//
// The error is Suspended for a suspended person, Conflict if the connection has ended, and
// otherwise the error of reading either. In each case the connection receives nothing from any of
// the rooms, and the caller disconnects it.
func (s *Service) Subscribe(ctx context.Context, c Connection, attempt string, wants []Want) ([]Subscribed, error) {
	results, subs := make([]Subscribed, len(wants)), make([]Subscription, len(wants))
	s.each(len(wants), func(i int) {
		subs[i] = Subscription{Room: wants[i].Room, Connection: c, Mode: wants[i].Mode, Attempt: attempt}
		results[i].Err = s.rows.PutPending(ctx, subs[i])
	})
	var refused error
	s.each(1+len(wants), func(i int) {
		if i == 0 {
			refused = s.accounts.CheckCurrent(ctx, c.User)
		} else if r := &results[i-1]; r.Err == nil {
			r.Err = s.admit(ctx, subs[i-1])
		}
	})
	if refused != nil {
		return nil, s.abandon(ctx, c, wants, refused)
	}
	s.each(len(wants), func(i int) {
		if r := &results[i]; r.Err == nil {
			r.Err = s.activate(ctx, subs[i])
		}
	})
	var gone bool
	s.each(1+len(wants), func(i int) {
		if i == 0 {
			gone, refused = s.connections.IsGone(ctx, c.ID)
		} else if r := &results[i-1]; r.Err == nil {
			r.Head, r.Err = s.head(ctx, subs[i-1])
		}
	})
	if gone {
		refused = chat.Conflictf("the connection has ended; connect again")
	}
	if refused != nil {
		return nil, s.abandon(ctx, c, wants, refused)
	}
	return results, nil
}

// abandon deletes the subscriptions of a refused request, and returns the refusal. Another process
// may have deleted the connection before they were stored, so that Disconnect does not find them.
func (s *Service) abandon(ctx context.Context, c Connection, wants []Want, refusal error) error {
	rooms := make([]chat.RoomID, len(wants))
	for i, w := range wants {
		rooms[i] = w.Room
	}
	_, err := s.rows.Leave(ctx, c, rooms)
	return errors.Join(refusal, err)
}

// each calls f for 0 to n-1, some of them concurrently.
func (s *Service) each(n int, f func(int)) { each(s.sequential, roomsAtOnce, n, f) }

// admit checks that the person of a pending subscription may read its room. Otherwise it deletes
// the subscription.
func (s *Service) admit(ctx context.Context, sub Subscription) error {
	_, err := s.rooms.Authorize(ctx, sub.Connection.User, sub.Room, policy.Read)
	if err != nil {
		_, _ = s.rows.Delete(ctx, []Subscription{sub}) // a pending one that stays receives nothing until it expires
	}
	return err
}

// activate activates a pending subscription.
func (s *Service) activate(ctx context.Context, sub Subscription) error {
	ok, err := s.rows.Activate(ctx, sub)
	if err == nil && !ok {
		err = chat.Conflictf("the subscription changed meanwhile; subscribe again")
	}
	return err
}

// head returns the head of the feed of an active subscription's room.
func (s *Service) head(ctx context.Context, sub Subscription) (feed.Head, error) {
	head, err := s.heads.CurrentFeedHead(ctx, sub.Room)
	if head.Closed {
		sub.Active = true
		_, _ = s.rows.Delete(ctx, []Subscription{sub}) // a deleted room no longer changes
		return feed.Head{}, chat.NoSuchRoom()
	}
	return head, err
}
