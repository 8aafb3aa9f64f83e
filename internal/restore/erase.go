package restore

import (
	"context"

	"example.com/parley/internal/account"
	"example.com/parley/internal/table"
)

// erase requests in To the erasure of a person who was erased in From since To's copy was made.
// The feed function of To makes it. The person is suspended in To, even if they have begun anew in
// From.
func (r *run) erase(ctx context.Context, item table.Item) error {
	theirs, _ := account.Parse(item) // what cannot be read is counted already
	if theirs.Erasure.At.IsZero() {
		return nil
	}
	key := table.Item{table.PK: item[table.PK], table.SK: item[table.SK]}
	return r.settle(ctx, table.AccountKind, func(ctx context.Context) (Outcome, change, error) {
		ours, _, err := getTo(ctx, r, key, account.Parse)
		if err != nil || !theirs.Erasure.At.After(ours.Erasure.At) || ours.Erasure.InProgress() {
			return Same, nil, err
		}
		if ours.Suspension.IsZero() {
			r.Note(table.KeyText(item), "the person was deleted, and is suspended until the suspension is ended")
		}
		return Changed, change{r.to.Update(key, account.EraseAgain(theirs.Erasure, ours))}, nil
	})
}

// erasedSince reports whether an item of From belongs to a person who was erased in To since From's
// copy was made.
func (r *run) erasedSince(ctx context.Context, item table.Item) (bool, error) {
	user, ok := table.OwnerOf(item)
	if !ok || table.KindOf(item) == table.AccountKind {
		return false, nil
	}
	if erased, known := r.erased.Load(user); known {
		return erased.(bool), nil
	}
	var theirs account.Account
	ours, _, err := getTo(ctx, r, table.AccountKey(user), account.Parse)
	if err == nil && !ours.Erasure.At.IsZero() {
		var existing table.Item
		if existing, err = r.from.get(ctx, table.AccountKey(user)); err == nil {
			theirs, err = account.Parse(existing)
		}
	}
	if err != nil {
		return false, err
	}
	erased := ours.Erasure.At.After(theirs.Erasure.At)
	r.erased.Store(user, erased)
	return erased, nil
}
