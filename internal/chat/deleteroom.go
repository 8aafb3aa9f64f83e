package chat

import (
	"context"
	"time"

	"example.com/parley/internal/policy"
)

// RoomDeletion deletes a room.
type RoomDeletion struct {
	Room Room
	By   Membership // the owner's; which must still be current when the room is deleted
	// Service reports that a service deletes its own room. By has only the room and its user.
	Service bool
	At      time.Time
}

// DeleteRoom deletes a room that the caller owns. From then on the room appears never to have
// existed, and its feed accepts no changes. Its id stays taken. The contents remain in the store
// until an operator purges them.
//
// The error is as for Authorize, and Stale if p does not accept the room. In particular, it is
// NotFound if the room is already deleted, even for the former owner. A client that retries after
// a lost response treats NotFound as success.
func (s *Service) DeleteRoom(ctx context.Context, caller UserID, id RoomID, p *Precondition) error {
	for try := range MaxChangeTries {
		a, err := s.decide(ctx, request{caller, id, policy.DeleteRoom}, s.CurrentRoom)
		if KindOf(err) == NotFound && try > 0 {
			return nil // the caller was allowed to delete it, and it is now deleted
		}
		if err != nil {
			return err
		}
		if err := p.Check(true, a.Room.Revision, false); err != nil {
			return err
		}
		deletion := RoomDeletion{
			Room: a.Room, By: a.Membership, At: s.now(), Service: a.Room.OwnedByService(ctx, caller),
		}
		if deletion.Service {
			deletion.By = Membership{Room: id, User: caller}
		}
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
