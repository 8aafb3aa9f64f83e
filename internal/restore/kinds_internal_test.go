package restore

import (
	"testing"

	"example.com/parley/internal/table"
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

// TestChecks_AreForWhatIsPutBackIntoARoom checks that every kind that is put back only by its key
// is read before.
func TestChecks_AreForWhatIsPutBackIntoARoom(t *testing.T) {
	t.Parallel()
	of := checks()
	for _, k := range table.Kinds() {
		check, ok := of[k.Kind]
		if ok != (k.Restore == table.RestoreInRoom) {
			t.Errorf("%q is in checks: %t, but is put back into its room: %t", k.Kind, ok, !ok)
		}
		if ok && (check(table.Item{table.AttrType: table.Text(k.Kind)}) == nil || k.Room == nil) {
			t.Errorf("%q: an empty item can be read, or has no room", k.Kind)
		}
	}
}
