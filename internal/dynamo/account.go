package dynamo

import (
	"context"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// Account is one eventual read: half a read unit.
func (s *Store) Account(ctx context.Context, user chat.UserID) (account.Account, error) {
	a, _, err := ReadEventual(ctx, s.table, "read account", table.AccountKey(user), table.ParseAccount)
	return a, err
}

// CurrentAccount is one strong read: 1 read unit.
func (s *Store) CurrentAccount(ctx context.Context, user chat.UserID) (account.Account, error) {
	a, _, err := ReadStrong(ctx, s.table, "read current account", table.AccountKey(user), table.ParseAccount)
	return a, err
}

// Suspend is one conditional update: 1 write unit.
func (s *Store) Suspend(ctx context.Context, user chat.UserID, suspension account.Suspension) (account.Suspension, error) {
	const op = "suspend"
	existing, failed, err := s.table.UpdateItem(ctx, op, table.AccountKey(user), table.SuspendUpdate(suspension))
	if err != nil || !failed {
		return suspension, err
	}
	a, err := table.ParseAccount(existing)
	return a.Suspension, translate(op, err)
}

// EndSuspension is one conditional update: 1 write unit.
func (s *Store) EndSuspension(ctx context.Context, user chat.UserID, end account.Ending) (account.Ending, error) {
	const op = "end suspension"
	existing, failed, err := s.table.UpdateItem(ctx, op, table.AccountKey(user), table.EndSuspensionUpdate(end))
	if err != nil || !failed {
		return end, err
	}
	a, err := table.ParseAccount(existing)
	if err == nil && a.Erasure.InProgress() {
		err = chat.Conflictf("this person is being deleted; end their suspension once that is done")
	}
	return a.Ended, translate(op, err)
}

// Erase is one conditional update: 1 write unit.
func (s *Store) Erase(ctx context.Context, user chat.UserID, e account.Erasure) (account.Erasure, error) {
	const op = "erase"
	existing, failed, err := s.table.UpdateItem(ctx, op, table.AccountKey(user), table.EraseUpdate(e))
	if err != nil || !failed {
		return e, err
	}
	a, err := table.ParseAccount(existing)
	return a.Erasure, translate(op, err)
}

// NextErasure is one conditional update: 1 write unit.
func (s *Store) NextErasure(ctx context.Context, user chat.UserID, step int64) error {
	return s.table.UpdateBlindly(ctx, "next erasure", table.AccountKey(user), table.NextErasureUpdate(step))
}

// EndErasure ends an erasure whose step is the given one. It is one conditional update: 1 write
// unit.
func (s *Store) EndErasure(ctx context.Context, user chat.UserID, step int64) error {
	return s.table.UpdateBlindly(ctx, "end erasure", table.AccountKey(user), table.EndErasureUpdate(step))
}
