package table

import (
	"testing"

	"example.com/parley/internal/ratelimit"
)

// TestParseBudgets_IgnoresOtherLimits reads an account with a limit of another version.
func TestParseBudgets_IgnoresOtherLimits(t *testing.T) {
	t.Parallel()
	item := AccountKey("bob")
	item[attrType], item[attrVersion], item[budgetPrefix+"later"] = Text(AccountKind), Number(schemaVersion), Number(5)
	item[budgetPrefix+"messages"] = Number(noon.UnixMicro())
	want := ratelimit.Budgets{ratelimit.Messages: noon}
	if a, err := ParseBudgets(item); err != nil || a != want {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	item[budgetPrefix+"messages"] = Text("noon")
	if a, err := ParseBudgets(item); err == nil {
		t.Errorf("%+v", a)
	}
}
