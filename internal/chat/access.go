package chat

import (
	"cmp"
	"context"
	"sync"
	"time"

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

// actingKey is the key under which a context holds the acting service.
type actingKey struct{}

// WithService returns a context for the requests of a service, on its own behalf or on behalf of a
// user. Messages and audit lines name the service, and it may add members to any room.
func WithService(ctx context.Context, service UserID) context.Context {
	return context.WithValue(ctx, actingKey{}, service)
}

// ServiceOf returns the service that makes the request, or "" if a person does.
func ServiceOf(ctx context.Context) UserID {
	service, _ := ctx.Value(actingKey{}).(UserID)
	return service
}

// IsService reports whether a caller is the service that makes the request, on its own behalf.
func IsService(ctx context.Context, caller UserID) bool {
	return caller != "" && ServiceOf(ctx) == caller
}

// Via returns the service that acts for a caller, or "" if the caller makes the request.
func Via(ctx context.Context, caller UserID) UserID {
	if service := ServiceOf(ctx); service != caller {
		return service
	}
	return ""
}

// SlowModeSlot is a person's contribution to a room in slow mode.
type SlowModeSlot struct {
	Room RoomID
	User UserID
	// The contribution is identified by What. The last admitted contribution is admitted again.
	What  string
	Now   time.Time
	Every time.Duration // the interval: the room's SlowMode
}

// SlowModeStore stores each person's last contribution to a room.
type SlowModeStore interface {
	// TakeSlot admits one contribution of a person per interval. It returns 0 if the contribution
	// may be stored, or if it is the last one that was admitted. Otherwise it returns how long to
	// wait.
	TakeSlot(ctx context.Context, slot SlowModeSlot) (wait time.Duration, err error)
}

// SlowMode admits contributions to rooms in slow mode. It is safe for concurrent use.
type SlowMode struct {
	store SlowModeStore
	clock func() time.Time
}

// NewSlowMode returns a SlowMode.
func NewSlowMode(store SlowModeStore, clock func() time.Time) *SlowMode {
	return &SlowMode{store: store, clock: clock}
}

// Admit returns nil if a person may contribute to a room now. The error is RateLimited if the room
// is in slow mode and the person's last contribution is too recent. Moderators and owners are
// exempt. The argument what identifies the contribution; a retry of the last one is admitted again.
// The caller must have checked that it is not a retry of another stored one.
func (g *SlowMode) Admit(ctx context.Context, a Access, user UserID, what string) error {
	if !a.InSlowMode() {
		return nil
	}
	wait, err := g.store.TakeSlot(
		ctx, SlowModeSlot{Room: a.Room.ID, User: user, What: what, Now: ServerTime(g.clock()), Every: a.Room.SlowMode},
	)
	if err == nil && wait > 0 {
		err = &Error{
			Kind: RateLimited, Limit: "slow-mode", RetryAfter: wait, Detail: "this room is in slow mode; " + RetryHint,
		}
	}
	return err
}
