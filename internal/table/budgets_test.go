package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/table"
)

// TestSpendUpdate_NamesTopLevelAttributes: policies are on top-level attributes, and a dot would
// begin a part of one.
func TestSpendUpdate_NamesTopLevelAttributes(t *testing.T) {
	t.Parallel()
	now := time.UnixMicro(1_700_000_000_000_000).UTC()
	for _, id := range ratelimit.IDs() {
		s := ratelimit.Spending{Limit: id, Now: now, By: time.Second, Below: time.Minute, Trust: time.Hour, Full: true}
		for _, u := range []table.Update{table.SpendUpdate(s), table.SpendMoreUpdate(s)} {
			for _, name := range u.Names {
				if strings.Contains(name, ".") {
					t.Errorf("the attribute %s has a dot", name)
				}
				if id == ratelimit.Reads && !slices.Contains(table.ReadBudgetAttributes(), name) {
					t.Errorf("the read function may not write %s", name)
				}
			}
		}
	}
}
