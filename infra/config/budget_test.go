package config_test

import (
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/bill"
)

// TestBudget_LiesBelowTheCostOfAnHour compares the default budget of a month with what one person can
// cost in an hour, so that its mails tell of such an hour.
func TestBudget_LiesBelowTheCostOfAnHour(t *testing.T) {
	t.Parallel()
	for _, env := range []config.Env{config.Dev, config.Prod} {
		if budget, cost := config.Defaults(env).MonthlyBudget, bill.Total(bill.AttackLines()); float64(budget) >= cost {
			t.Errorf("%s has a budget of %d dollars, but an hour of one person costs at most %.2f", env, budget, cost)
		}
	}
}
