package account

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

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
