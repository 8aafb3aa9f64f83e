package restore

import (
	"context"

	"example.com/parley/internal/account"
	"example.com/parley/internal/table"
)

// copyAccount puts back a missing account, or suspends a person who is suspended in From. It erases
// a person who was erased in From.
func (r *run) copyAccount(ctx context.Context, item table.Item) error {
	if a, err := account.Parse(item); err != nil || !a.Suspension.IsZero() {
		return r.suspendAndErase(ctx, item)
	}
	if err := r.copyMissing(ctx, item); err != nil {
		return err
	}
	return r.erase(ctx, item)
}

// suspendAndErase applies the suspension and the erasure of an account of From in To.
func (r *run) suspendAndErase(ctx context.Context, item table.Item) error {
	if err := r.suspend(ctx, item); err != nil {
		return err
	}
	return r.erase(ctx, item)
}

// suspend suspends a person in To who is suspended in From, if From's suspension is newer than the
// last end that To knows. So a suspension that has since ended stays ended. It never ends a
// suspension.
func (r *run) suspend(ctx context.Context, item table.Item) error {
	theirs, ok := readFrom(r, item, account.Parse)
	if !ok || theirs.Suspension.IsZero() {
		return nil
	}
	key := table.Item{table.PK: item[table.PK], table.SK: item[table.SK]}
	return r.settle(ctx, table.AccountKind, func(ctx context.Context) (Outcome, change, error) {
		ours, _, err := getTo(ctx, r, key, account.Parse)
		switch {
		case err != nil:
			return "", nil, err
		case !ours.Suspension.IsZero():
			return Same, nil, nil
		case !theirs.Suspension.At.After(ours.Ended.At):
			return Newer, nil, nil
		}
		return Changed, change{r.to.Update(key, account.SuspendSince(theirs.Suspension, ours.Ended))}, nil
	})
}
