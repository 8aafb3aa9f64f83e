package account

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

const (
	// ErasedReason is the reason of the suspension of a person who is erased.
	ErasedReason = "deleted"
	actionErased = "person.deleted"
	// stalledErasure is the age from which another request continues an erasure, because its steps
	// may have stopped: after a failure that retries do not mend.
	stalledErasure = 5 * time.Minute
)

// Erase suspends a person as Suspend does, and requests the erasure of everything that is theirs,
// which is made in steps after it returns. by is a service. A repeated call changes nothing while
// the erasure is in progress, except that it continues one that is five minutes old.
func (s *Service) Erase(ctx context.Context, by, person chat.UserID) error {
	for range chat.MaxChangeTries {
		suspension, err := s.Suspend(ctx, by, person, ErasedReason)
		if err != nil {
			return err
		}
		now := chat.ServerTime(s.clock())
		at := now
		if !at.After(suspension.At) {
			at = suspension.At.Add(time.Millisecond) // so is the line in the audit
		}
		stored, err := s.store.Erase(ctx, person, Erasure{At: at, By: by, Step: 1})
		if err != nil {
			return err
		}
		if !stored.InProgress() {
			continue // the suspension has ended meanwhile
		}
		s.audit.AuditPerson(
			ctx, person, chat.AuditEvent{By: stored.By, Action: actionErased, On: person, At: stored.At},
		)
		if now.Sub(stored.At) < stalledErasure {
			return nil
		}
		return s.store.NextErasure(ctx, person, stored.Step)
	}
	return chat.TooBusy()
}
