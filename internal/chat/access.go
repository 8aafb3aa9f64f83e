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

// access is what was found when a caller asked for a room.
type access struct {
	room       Room
	membership Membership // zero when there is none
	role       policy.Role
}

// authorize finds out whether caller may do an action in a room. The room may be
// RoomCacheAge old, the membership never is: whoever was removed is refused next time.
//
// NotFound when there is no such room or the caller may not know of it: both make the same
// calls to the store and give the same error. Forbidden when the
// caller may know of the room and not do this.
func (s *Service) authorize(ctx context.Context, caller UserID, id RoomID, action policy.Action) (access, error) {
	return s.decide(ctx, request{caller, id, action}, s.recentRoom)
}

// decide is authorize with a choice of how old the room may be.
func (s *Service) decide(ctx context.Context, r request, read func(context.Context, RoomID) (Room, error)) (access, error) {
	var a access
	var roomErr, memberErr error
	var both sync.WaitGroup
	both.Go(func() { a.room, roomErr = read(ctx, r.room) })
	both.Go(func() { a.membership, memberErr = s.store.Membership(ctx, r.room, r.caller) })
	both.Wait()
	if KindOf(roomErr) == NotFound && memberErr != nil {
		roomErr = nil // a failure must not tell a hidden room from none
	}
	if err := cmp.Or(roomErr, memberErr); err != nil {
		return access{}, err
	}
	a.role = roleOf(a.membership, a.room)
	switch policy.Decide(a.role, policy.Room{Private: a.room.Private, Posting: a.room.Posting}, r.action) {
	case policy.Allow:
		return a, nil
	case policy.Hide:
		return access{}, NoSuchRoom()
	}
	return access{}, errNotAllowed()
}
