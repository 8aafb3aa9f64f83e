package chat

import (
	"cmp"
	"context"
	"sync"

	"parley/internal/policy"
)

// request is what someone wants to do in a room.
type request struct {
	caller UserID
	room   RoomID
	action policy.Action
}

// Access is a caller's relation to a room.
type Access struct {
	Room       Room
	Membership Membership // zero when the caller has none
	Role       policy.Role
}

// Authorize decides whether caller may do an action in a room. The room may be RoomCacheAge old, the
// membership never is: a removed member is refused at the next call.
//
// NotFound when there is no such room or the caller may not know of it: both make the same
// calls to the store and give the same error. Forbidden when the
// caller may know of the room and not do this.
func (s *Service) Authorize(ctx context.Context, caller UserID, id RoomID, action policy.Action) (Access, error) {
	return s.decide(ctx, request{caller, id, action}, s.recentRoom)
}

// decide is Authorize with a choice of how old the room may be.
func (s *Service) decide(ctx context.Context, r request, read func(context.Context, RoomID) (Room, error)) (Access, error) {
	var a Access
	var roomErr, memberErr error
	var both sync.WaitGroup
	both.Go(func() { a.Room, roomErr = read(ctx, r.room) })
	both.Go(func() { a.Membership, memberErr = s.store.Membership(ctx, r.room, r.caller) })
	both.Wait()
	if KindOf(roomErr) == NotFound && memberErr != nil {
		roomErr = nil // a failure must not tell a hidden room from none
	}
	if err := cmp.Or(roomErr, memberErr); err != nil {
		return Access{}, err
	}
	a.Role = roleOf(a.Membership, a.Room)
	switch policy.Decide(a.Role, policy.Room{Private: a.Room.Private, Posting: a.Room.Posting}, r.action) {
	case policy.Allow:
		return a, nil
	case policy.Hide:
		return Access{}, NoSuchRoom()
	}
	return Access{}, errNotAllowed()
}
