package chat

import (
	"cmp"
	"context"
	"sync"

	"example.com/parley/internal/policy"
)

// request is an action that a caller wants to perform in a room.
type request struct {
	caller UserID
	room   RoomID
	action policy.Action
}

// Access describes a caller's relation to a room.
type Access struct {
	Room       Room
	Membership Membership // as stored; zero if the caller has none, as a service in its rooms
	Role       policy.Role
}

// InSlowMode reports whether the caller is subject to the room's slow mode.
func (a Access) InSlowMode() bool { return a.Room.SlowMode > 0 && a.Role < policy.Moderator }

// Authorize checks that caller may perform an action in a room. It reads the current room and
// membership, so it refuses a removed member's next call and every call in a deleted room. The two
// reads run in parallel.
//
// The error is NotFound if the room does not exist or the caller may not know about it. Both cases
// make the same calls to the store and return the same error. The error is Forbidden if the caller
// may know about the room but not perform the action. In a public room, this includes a banned
// person who wants to read. The error from RoomArchived is one of these.
func (s *Service) Authorize(ctx context.Context, caller UserID, id RoomID, action policy.Action) (Access, error) {
	return s.decide(ctx, request{caller, id, action}, s.CurrentRoom)
}

// AuthorizeRecent is Authorize, but the room may be up to RoomCacheAge old, which saves a read.
// The room may even have been deleted, so callers that show any of its contents must also read the
// head of its feed and check Closed. An outdated room never denies an action.
func (s *Service) AuthorizeRecent(ctx context.Context, caller UserID, id RoomID, action policy.Action) (Access, error) {
	if a, err := s.decide(ctx, request{caller, id, action}, s.recentRoom); KindOf(err) != Forbidden {
		return a, err
	}
	return s.Authorize(ctx, caller, id, action)
}

// decide is Authorize, but reads the room with the given function. A Forbidden error comes with
// the caller's membership.
func (s *Service) decide(
	ctx context.Context, r request, read func(context.Context, RoomID) (Room, error),
) (Access, error) {
	var a Access
	var roomErr, memberErr error
	var both sync.WaitGroup
	both.Go(func() { a.Room, roomErr = read(ctx, r.room) })
	both.Go(func() { a.Membership, memberErr = s.store.Membership(ctx, r.room, r.caller) })
	both.Wait()
	if KindOf(roomErr) == NotFound && memberErr != nil {
		roomErr = nil // a failed read must not reveal whether a hidden room exists
	}
	if err := cmp.Or(roomErr, memberErr); err != nil {
		return Access{}, err
	}
	a.Role = a.Room.RoleOf(ctx, r.caller, a.Membership, s.clock())
	switch policy.Decide(a.Role, a.Room.Policy(), r.action) {
	case policy.Allow:
		return a, nil
	case policy.Hide:
		return Access{}, NoSuchRoom()
	case policy.DenyArchived:
		return Access{Membership: a.Membership}, RoomArchived()
	}
	return Access{Membership: a.Membership}, NotAllowed()
}

// RoomArchived returns the error for a write that only an archived room refuses.
func RoomArchived() error {
	return &Error{Kind: Forbidden, Detail: "the room is archived and takes no changes until an owner unarchives it"}
}
