package chat

import (
	"context"
	"time"

	"parley/internal/policy"
)

// RoomDeletion deletes a room.
type RoomDeletion struct {
	Room Room
	By   Membership // the owner's; it must still be current when the room is deleted
	At   time.Time
}

// DeleteRoom deletes a room that the caller owns. At once, the room looks to everybody as if it had
// never existed, and its feed takes nothing more. Only its id is never free again. The contents
// remain in the store until an operator purges them.
//
// The error is as for Authorize. In particular, it is NotFound when the room is deleted already,
// also for the former owner. A client that retries after a lost answer takes NotFound as success.
func (s *Service) DeleteRoom(ctx context.Context, caller UserID, id RoomID) error {
	for try := range MaxChangeTries {
		a, err := s.decide(ctx, request{caller, id, policy.DeleteRoom}, s.freshRoom)
		if KindOf(err) == NotFound && try > 0 {
			return nil // the caller could delete it, and now it is deleted
		}
		if err != nil {
			return err
		}
		deletion := RoomDeletion{Room: a.Room, By: a.Membership, At: s.now()}
		ok, err := s.store.DeleteRoom(ctx, deletion)
		s.recent.Delete(id)
		if err != nil {
			return err
		}
		if ok {
			s.audit.Audit(ctx, id, AuditEvent{By: caller, At: deletion.At, Action: "room.deleted"})
			return nil
		}
	}
	return TooBusy()
}
