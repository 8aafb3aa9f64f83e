package dynamo

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/table"
)

const opSpend = "spend"

// Budgets is a ratelimit.Store for people's requests, in their accounts.
type Budgets struct{ table *Table }

// NewBudgets returns the budgets of the accounts in a table.
func NewBudgets(t *Table) Budgets { return Budgets{t} }

// Spend is one conditional update: 1 write unit, and another if it guessed wrong whether the
// budget is full. The budget of reads costs 1 more read unit.
func (s Budgets) Spend(ctx context.Context, user chat.UserID, p ratelimit.Spending) (time.Time, bool, error) {
	if p.Limit == ratelimit.Reads {
		return spend(p, func(u table.Update) (time.Time, bool, error) { return s.table.spendReads(ctx, user, p, u) })
	}
	return spend(p, func(u table.Update) (time.Time, bool, error) {
		return s.table.spend(ctx, table.AccountKey(user), p, u)
	})
}

// ConnectionBudgets is a ratelimit.Store for people's connections, in the table of connections.
type ConnectionBudgets struct{ table *Table }

// NewConnectionBudgets returns the budgets in a table that exists.
func NewConnectionBudgets(t *Table) ConnectionBudgets { return ConnectionBudgets{t} }

// Spend is Budgets.Spend for the budget of a person's connections.
func (s ConnectionBudgets) Spend(ctx context.Context, user chat.UserID, p ratelimit.Spending) (time.Time, bool, error) {
	return spend(p, func(u table.Update) (time.Time, bool, error) {
		return s.table.spend(ctx, table.LiveBudgetKey(user), p, table.LiveSpending(u, p.Now))
	})
}

// spend advances a budget's instant with the update that fits. try performs an update and returns
// the stored instant.
func spend(p ratelimit.Spending, try func(table.Update) (time.Time, bool, error)) (time.Time, bool, error) {
	full := p.Full
	for range chat.MaxChangeTries {
		update := table.SpendMoreUpdate(p)
		if full {
			update = table.SpendUpdate(p)
		}
		fullAt, spent, err := try(update)
		if err != nil {
			return time.Time{}, false, err
		}
		if spent || fullAt.Sub(p.Now) >= p.Below {
			return fullAt, spent, nil
		}
		full = !fullAt.After(p.Now)
	}
	return time.Time{}, false, chat.TooBusy()
}

// spend performs one update of a budget in an item and returns the previous value.
func (t *Table) spend(
	ctx context.Context, key table.Item, p ratelimit.Spending, u table.Update,
) (time.Time, bool, error) {
	before, failed, err := t.ReplaceItem(ctx, opSpend, key, u)
	if err != nil {
		return time.Time{}, false, err
	}
	budgets, err := table.ParseBudgets(before)
	fullAt := trusted(budgets[p.Limit], p)
	if err != nil || failed {
		return fullAt, false, translate(opSpend, err)
	}
	return fullAt.Add(p.By), true, nil
}

// spendReads performs one update of the budget of reads. The read function may write only that
// attribute and its update may return nothing, so a read follows.
func (t *Table) spendReads(
	ctx context.Context, user chat.UserID, p ratelimit.Spending, u table.Update,
) (time.Time, bool, error) {
	spent, err := t.TryUpdate(ctx, opSpend, table.AccountKey(user), u)
	if err != nil {
		return time.Time{}, false, err
	}
	budgets, _, err := ReadStrong(ctx, t, "read current account", table.AccountKey(user), table.ParseBudgets)
	return trusted(budgets[p.Limit], p), spent, err
}

// trusted returns a stored instant, or the current time if the budget is full or the instant is
// further ahead than p.Trust.
func trusted(fullAt time.Time, p ratelimit.Spending) time.Time {
	if fullAt.Before(p.Now) || fullAt.After(p.Now.Add(p.Trust)) {
		return p.Now
	}
	return fullAt
}
