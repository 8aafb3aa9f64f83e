package restore

import (
	"testing"

	"parley/internal/table"
)

// TestComparisons_AreForTheRest checks that each kind is either compared by a function or
// restored by a rule of its row.
func TestComparisons_AreForTheRest(t *testing.T) {
	t.Parallel()
	of := newRun(Options{}, Counts{}).comparisons()
	for _, k := range table.Kinds() {
		if _, ok := of[k.Kind]; ok != (k.Restore == table.RestoreByKind) {
			t.Errorf("%q: has a comparison: %t", k.Kind, ok)
		}
	}
}
