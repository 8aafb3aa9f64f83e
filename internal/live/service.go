package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
)

// Heads reads the heads of feeds.
type Heads interface {
	// CurrentFeedHead returns the head of a room's feed, by a consistent read; the zero Head before
	// the first change.
	CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error)
	// FeedHeads returns the heads of the rooms' feeds, where they exist. The changes of the last
	// second may be missing.
	FeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error)
}

// Store stores connections and subscriptions.
type Store interface {
	Rows
	Lookup
	ConnectionRows
}

// Service subscribes connections to rooms. It is safe for concurrent use.
type Service struct {
	rows        Rows
	lookup      Lookup
	connections ConnectionRows
	rooms       chat.Authorizer
	heads       Heads
	accounts    Accounts
	blocks      Blocks
	ends        *ends
	clock       func() time.Time
	sequential  bool
}

// Accounts checks whether people are suspended. account.Service implements it.
type Accounts interface {
	// CheckCurrent returns a Suspended error for a suspended person, by a consistent read.
	CheckCurrent(ctx context.Context, user chat.UserID) error
}

// Blocks reads whom people have blocked. block.Service implements it.
type Blocks interface {
	chat.Blocks
	// Blockers returns the people in among who have blocked a user.
	Blockers(ctx context.Context, user chat.UserID, among []chat.UserID) (map[chat.UserID]bool, error)
}

// Options are the settings of a Service. Store and Clock are required.
type Options struct {
	Store Store
	// Rooms, Heads and Blocks are required for all but RemovePerson, and Accounts for Subscribe.
	Rooms    chat.Authorizer
	Heads    Heads
	Blocks   Blocks
	Accounts Accounts
	Clock    func() time.Time
	// Sequential makes all calls in the caller's goroutine, one after another.
	Sequential bool
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		rows: o.Store, lookup: o.Store, connections: o.Store, rooms: o.Rooms, heads: o.Heads, accounts: o.Accounts,
		blocks: o.Blocks,
		ends:   newEnds(o.Store), clock: o.Clock, sequential: o.Sequential,
	}
}

// Unsubscribe ends a connection's subscription to a room, and reports whether there was an active
// one.
func (s *Service) Unsubscribe(ctx context.Context, c Connection, room chat.RoomID) (was bool, err error) {
	left, err := s.rows.Leave(ctx, c, []chat.RoomID{room})
	if err != nil {
		return false, err
	}
	return len(left) > 0, s.connections.RemoveRooms(ctx, c, []chat.RoomID{room})
}

// Forget removes from a connection the rooms that Open stored but whose subscriptions were
// refused.
func (s *Service) Forget(ctx context.Context, c Connection, rooms []chat.RoomID) error {
	return s.connections.RemoveRooms(ctx, c, rooms)
}

// RemoveUser ends the subscriptions of a person who may no longer read a room. It is called after
// a change of their membership, and before that change is acknowledged, even if a retry finds the
// change already made.
func (s *Service) RemoveUser(ctx context.Context, room chat.RoomID, user chat.UserID) error {
	_, _, err := expel(ctx, s.rows, s.rooms, chat.MemberOf{Room: room, User: user}, s.rows.End)
	return err
}

// RemovePerson ends all subscriptions of a person who was suspended. It is called after the
// suspension is stored, and before it is acknowledged, even if a retry finds it stored. The
// connections stay stored, so the delivery of the suspension finds and closes them.
func (s *Service) RemovePerson(ctx context.Context, user chat.UserID) error {
	all, err := s.connections.Connections(ctx, user)
	for _, o := range all {
		_, left := s.rows.Leave(ctx, o.Connection, o.Rooms)
		err = errors.Join(err, left)
	}
	return err
}

// RemoveRoom ends all subscriptions to a room, after its deletion and before the deletion is
// acknowledged.
func (s *Service) RemoveRoom(ctx context.Context, room chat.RoomID) error {
	return s.RemoveRoomIf(ctx, room, func(context.Context) (bool, error) { return true, nil })
}

// RemoveRoomIf is RemoveRoom for a room that a retry finds deleted, or that never existed.
// isDeleted decides. The subscriptions are read in both cases, so both make the same calls.
func (s *Service) RemoveRoomIf(
	ctx context.Context, room chat.RoomID, isDeleted func(context.Context) (bool, error),
) error {
	all, err := s.rows.Subscriptions(ctx, room)
	if err != nil {
		return err
	}
	if deleted, err := isDeleted(ctx); !deleted || err != nil {
		return err
	}
	_, err = s.rows.End(ctx, withoutEnded(all))
	return err
}

// expel removes the subscriptions of a person who may not read a room. It reads them before it
// checks the access, and removes them only in that state. A person who has meanwhile been
// readmitted keeps subscriptions activated since. It reports whether the person keeps any, and
// returns those that a removal has ended, now or before. A subscription that the person has ended
// is not among them.
func expel(
	ctx context.Context, rows Rows, rooms chat.Authorizer, of chat.MemberOf,
	remove func(context.Context, []Subscription) (bool, error),
) (expelled []Subscription, keeps bool, err error) {
	for range chat.MaxChangeTries {
		all, err := rows.Subscriptions(ctx, of.Room)
		if err != nil {
			return nil, false, err
		}
		theirs := ofUser(all, of.User)
		left := withoutEnded(theirs)
		if len(left) == 0 {
			return theirs, false, nil
		}
		_, err = rooms.Authorize(ctx, of.User, of.Room, policy.Read)
		if kind := chat.KindOf(err); kind != chat.NotFound && kind != chat.Forbidden {
			return nil, err == nil, err
		}
		if done, err := remove(ctx, left); err != nil {
			return nil, false, err
		} else if done {
			return theirs, false, nil
		}
	}
	return nil, false, chat.TooBusy()
}

// withoutEnded returns the subscriptions that have not ended.
func withoutEnded(all []Subscription) []Subscription {
	return slices.DeleteFunc(slices.Clone(all), func(s Subscription) bool { return s.Ended })
}
