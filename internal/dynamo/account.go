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
	return a.Ended, translate(op, err)
}
