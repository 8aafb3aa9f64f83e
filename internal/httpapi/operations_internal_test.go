package httpapi

import "testing"

// TestOperations_AreOfTheirFunction checks that a function's table contains only its operations.
// The stack sends their requests to it.
func TestOperations_AreOfTheirFunction(t *testing.T) {
	t.Parallel()
	for _, all := range All() {
		for _, o := range all.list() {
			if o.function != all.Function() {
				t.Errorf("%s is of the function %s, and is in the table of %s", o.OperationID, o.function, all.Function())
			}
		}
	}
}
