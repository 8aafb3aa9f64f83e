package account

import (
	"context"

	"example.com/parley/internal/chat"
)

// Owner stands for the owner of the deployment, who suspends people by a command. It is not a user
// id, since it contains a space.
const Owner chat.UserID = "chat suspend"

// The actions in the audit log of a person.
const (
	actionSuspended   = "person.suspended"
	actionUnsuspended = "person.unsuspended"
)

// Auditor stores the audit logs of people.
type Auditor interface {
	// AuditPerson adds a line to the audit log of a person. It is called after the change, which
	// cannot be undone, so the auditor must report failures itself.
	AuditPerson(ctx context.Context, person chat.UserID, e chat.AuditEvent)
}

// Suspend suspends a person, and returns their suspension. An existing suspension stays unchanged.
// by is a service, or Owner. Before it returns, it ends the person's live subscriptions. The error
// is Invalid for a reason that is not one line of at most MaxReason bytes.
func (s *Service) Suspend(ctx context.Context, by, person chat.UserID, reason string) (Suspension, error) {
	if err := chat.CheckLine("reason", reason, MaxReason); err != nil {
		return Suspension{}, err
	}
	stored, err := s.store.Suspend(ctx, person, Suspension{At: chat.ServerTime(s.clock()), By: by, Reason: reason})
	if err != nil {
		return Suspension{}, err
	}
	// The time identifies the line, so that a retry adds one only if it is missing.
	s.audit.AuditPerson(
		ctx, person,
		chat.AuditEvent{By: stored.By, Action: actionSuspended, On: person, Detail: stored.Reason, At: stored.At},
	)
	return stored, s.live.RemovePerson(ctx, person) // even if an interrupted call has already suspended them
}

// EndSuspension ends the suspension of a person. It also succeeds if the person is not suspended;
// ended is then false. The error is Conflict while the person is being erased.
func (s *Service) EndSuspension(ctx context.Context, by, person chat.UserID) (ended bool, err error) {
	end := Ending{At: chat.ServerTime(s.clock()), By: by}
	stored, err := s.store.EndSuspension(ctx, person, end)
	if err != nil || stored.IsZero() {
		return false, err
	}
	s.audit.AuditPerson(
		ctx, person, chat.AuditEvent{By: stored.By, Action: actionUnsuspended, On: person, At: stored.At},
	)
	return stored == end, nil
}

// Suspension returns the suspension of a person, as it was at most about a second ago. The error
// is NotFound if the person is not suspended.
func (s *Service) Suspension(ctx context.Context, person chat.UserID) (Suspension, error) {
	a, err := s.store.Account(ctx, person)
	if err == nil && a.Suspension.IsZero() {
		err = &chat.Error{Kind: chat.NotFound, Detail: "this person is not suspended"}
	}
	return a.Suspension, err
}
