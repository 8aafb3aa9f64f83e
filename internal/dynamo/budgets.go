package dynamo

import (
	"context"
	"time"

	"parley/internal/chat"
	"parley/internal/ratelimit"
	"parley/internal/table"
)

// Spend is one conditional update: 1 write unit, and another if the guess whether the budget is
// full is wrong.
func (s *Store) Spend(ctx context.Context, user chat.UserID, p ratelimit.Spending) (time.Time, bool, error) {
	return s.table.spend(ctx, table.AccountKey(user), p, func(u table.Update) table.Update { return u })
}

// Spend is as that of Store, for the budget of a person's connections.
func (s *LiveStore) Spend(ctx context.Context, user chat.UserID, p ratelimit.Spending) (time.Time, bool, error) {
	return s.table.spend(ctx, table.LiveBudgetKey(user), p, func(u table.Update) table.Update { return table.LiveSpending(u, p.Now) })
}

// spend moves the instant of a budget in an item. kept completes an update for the kind of item.
func (t *Table) spend(ctx context.Context, key table.Item, p ratelimit.Spending, kept func(table.Update) table.Update) (time.Time, bool, error) {
	const op = "spend"
	full := p.Full
	for range chat.MaxChangeTries {
		update := table.SpendMoreUpdate(p)
		if full {
			update = table.SpendUpdate(p)
		}
		before, failed, err := t.replaceItem(ctx, op, key, kept(update))
		if err != nil {
			return time.Time{}, false, err
		}
		budgets, err := table.ParseBudgets(before)
		if err != nil {
			return time.Time{}, false, translate(op, err)
		}
		fullAt := later(budgets[p.Limit], p.Now)
		if fullAt.After(p.Now.Add(p.Trust)) {
			fullAt = p.Now
		}
		if !failed {
			return fullAt.Add(p.By), true, nil
		}
		if fullAt.Sub(p.Now) >= p.Below {
			return fullAt, false, nil
		}
		full = !fullAt.After(p.Now)
	}
	return time.Time{}, false, chat.TooBusy()
}

var _ ratelimit.Store = (*LiveStore)(nil)

// later returns the later of two instants.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
