// Package account holds what the operator knows about a person besides their profile: whether they
// are suspended. Each person has one account, which is a small item and is read with every write.
package account

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/table"
)

// MaxReason limits the reason of a suspension in bytes: a few lines. It keeps the account below 1
// KB, so that a change of the account costs one write unit.
const MaxReason = 500

// Account is the stored state of a person. The zero Account is an ordinary person's, of whom
// nothing is stored.
type Account struct {
	// Suspension is the current suspension; zero if there is none.
	Suspension Suspension
	// Ended describes the end of the previous suspension; zero if none has ended.
	Ended Ending
	// Erasure is the last erasure of the person; zero if there was none.
	Erasure Erasure
	// Budgets are the budgets of the person's limits.
	Budgets ratelimit.Budgets
}

// Suspension is a state in which nothing is accepted from a person.
type Suspension struct {
	At     time.Time   // to the millisecond
	By     chat.UserID // the suspending service; Owner for the command
	Reason string      // for services and the audit log; it may be empty
}

// IsZero reports whether there is no suspension.
func (s Suspension) IsZero() bool { return s.At.IsZero() }

// Ending describes the end of a suspension.
type Ending struct {
	At time.Time   // to the millisecond
	By chat.UserID // as in Suspension
}

// IsZero reports whether no suspension has ended.
func (e Ending) IsZero() bool { return e.At.IsZero() }

// Erasure is the erasure of a deleted person, which is made in steps.
type Erasure struct {
	At   time.Time   // of the request, to the millisecond
	By   chat.UserID // the service that asked for it, which gets the rooms that would have no owner
	Step int64       // the number of the next step, from 1; 0 after the last one
}

// InProgress reports whether steps are left. The person is suspended until there are none.
func (e Erasure) InProgress() bool { return e.Step > 0 }

// ErasureStep is a step of a person's erasure that the person's account requests.
type ErasureStep struct {
	User chat.UserID
	Step int64
}

// Check returns the error for a caller with this account, or nil.
func (a Account) Check() error {
	if a.Suspension.IsZero() {
		return nil
	}
	return ErrSuspended()
}

// ErrSuspended returns the error for a suspended caller.
func ErrSuspended() error {
	return &chat.Error{Kind: chat.Suspended, Detail: "this account is suspended; ask those who run this chat"}
}

// Store reads and writes accounts. All methods return a *chat.Error of kind Unavailable if the
// table cannot answer now. They leave everything else that is stored in the account unchanged.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the accounts in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// Account returns the account of a user, or the zero Account. Changes from about the last second
// may be missing. It is one eventual read: half a read unit.
func (s Store) Account(ctx context.Context, user chat.UserID) (Account, error) {
	a, _, err := dynamo.ReadEventual(ctx, s.table, "read account", table.AccountKey(user), Parse)
	return a, err
}

// CurrentAccount is Account by a consistent read, so no change is missing: 1 read unit.
func (s Store) CurrentAccount(ctx context.Context, user chat.UserID) (Account, error) {
	a, _, err := dynamo.ReadStrong(ctx, s.table, "read current account", table.AccountKey(user), Parse)
	return a, err
}

// Suspend sets the suspension of a user who has none. It always returns the stored suspension. It
// is one conditional update: 1 write unit.
func (s Store) Suspend(ctx context.Context, user chat.UserID, suspension Suspension) (stored Suspension, err error) {
	a, changed, err := s.update(ctx, "suspend", user, SuspendUpdate(suspension))
	if changed {
		return suspension, err
	}
	return a.Suspension, err
}

// EndSuspension removes the suspension of a user, if there is one. It always returns the stored end
// of their last suspension; zero if they never had one. The error is Conflict while the user is
// being erased. It is one conditional update: 1 write unit.
func (s Store) EndSuspension(ctx context.Context, user chat.UserID, end Ending) (stored Ending, err error) {
	a, changed, err := s.update(ctx, "end suspension", user, endSuspension(end))
	if changed {
		return end, err
	}
	if err == nil && a.Erasure.InProgress() {
		err = chat.Conflictf("this person is being deleted; end their suspension once that is done")
	}
	return a.Ended, err
}

// Erase sets the erasure of a suspended user for whom none is in progress. It always returns the
// stored erasure, which is not in progress if the user is not suspended. It is one conditional
// update: 1 write unit.
func (s Store) Erase(ctx context.Context, user chat.UserID, e Erasure) (stored Erasure, err error) {
	a, changed, err := s.update(ctx, "erase", user, eraseUpdate(e))
	if changed {
		return e, err
	}
	return a.Erasure, err
}

// update makes a conditional update of an account. If its condition fails, changed is false and the
// stored account is returned.
func (s Store) update(
	ctx context.Context, op string, user chat.UserID, u table.Update,
) (stored Account, changed bool, err error) {
	existing, failed, err := s.table.UpdateItem(ctx, op, table.AccountKey(user), u)
	if err != nil || !failed {
		return Account{}, err == nil, err
	}
	stored, _, err = dynamo.ParseItem(op, existing, nil, Parse)
	return stored, false, err
}

// NextErasure requests the next step of an erasure, unless its step is no longer the given one. It
// is one conditional update: 1 write unit.
func (s Store) NextErasure(ctx context.Context, user chat.UserID, step int64) error {
	return s.table.UpdateBlindly(ctx, "next erasure", table.AccountKey(user), nextErasure(step))
}

// EndErasure ends an erasure, unless its step is no longer the given one. It is one conditional
// update: 1 write unit.
func (s Store) EndErasure(ctx context.Context, user chat.UserID, step int64) error {
	return s.table.UpdateBlindly(ctx, "end erasure", table.AccountKey(user), endErasure(step))
}
