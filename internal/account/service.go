package account

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/expiring"
)

// CacheAge is how long a process may use the account that it has read. Including the second by
// which an eventual read may lag, a suspension takes effect on reads within five seconds.
const CacheAge = 4 * time.Second

// Subscriptions ends the live delivery of rooms to people.
type Subscriptions interface {
	// RemovePerson ends all subscriptions of a suspended person. Changes after the call are not
	// delivered to them.
	RemovePerson(ctx context.Context, user chat.UserID) error
}

// Service reads and suspends accounts. It is safe for concurrent use.
type Service struct {
	store  Store
	audit  chat.Auditor
	live   Subscriptions
	clock  func() time.Time
	recent *expiring.Cache[chat.UserID, Account]
}

// Options are the settings of a Service. Table and Clock are required.
type Options struct {
	Table *dynamo.Table
	Clock func() time.Time
	// Audit and Live are required to suspend people.
	Audit chat.Auditor
	Live  Subscriptions
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: NewStore(o.Table), audit: o.Audit, live: o.Live, clock: o.Clock,
		recent: expiring.NewCache[chat.UserID, Account](CacheAge, o.Clock),
	}
}

// Check returns the account of a caller, and a Suspended error if they are suspended. It reads the
// account, so call it concurrently with other reads where possible.
func (s *Service) Check(ctx context.Context, caller chat.UserID) (Account, error) {
	a, err := s.read(ctx, caller)
	if err != nil {
		return Account{}, err
	}
	return a, a.Check()
}

// CheckCurrent is Check by a consistent read: it notices every suspension that was stored before.
func (s *Service) CheckCurrent(ctx context.Context, caller chat.UserID) error {
	a, err := s.store.CurrentAccount(ctx, caller)
	if err != nil {
		return err
	}
	return a.Check()
}

// CheckRecent is Check, but the account may be up to CacheAge old, which saves a read.
func (s *Service) CheckRecent(ctx context.Context, caller chat.UserID) (Account, error) {
	if a, ok := s.recent.Get(caller); ok {
		return a, a.Check()
	}
	return s.Check(ctx, caller)
}

// read reads an account, and caches it for CheckRecent.
func (s *Service) read(ctx context.Context, user chat.UserID) (Account, error) {
	asOf := s.clock()
	a, err := s.store.Account(ctx, user)
	if err == nil {
		s.recent.Put(user, a, asOf)
	}
	return a, err
}

// Owner stands for the owner of the deployment, who suspends people by a command. It is not a user
// id, since it contains a space.
const Owner chat.UserID = "chat suspend"

// The actions in the audit log of a person.
const (
	actionSuspended   = "person.suspended"
	actionUnsuspended = "person.unsuspended"
)

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
