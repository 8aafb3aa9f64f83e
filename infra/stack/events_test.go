package stack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/parley/internal/test/requests"
)

// TestFilters_PassTheBatches: the batches are the function's input, except the one that shows how the
// function treats anything else.
func TestFilters_PassTheBatches(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		i := &inspection{template: d.template}
		for _, b := range requests.Batches {
			var event struct{ Records []json.RawMessage }
			if err := json.Unmarshal([]byte(b.Event()), &event); err != nil {
				t.Fatal(b.Name, err)
			}
			irrelevant := strings.HasPrefix(b.Name, "irrelevant")
			for n, text := range event.Records {
				var record any
				if err := json.Unmarshal(text, &record); err != nil {
					t.Fatal(b.Name, err)
				}
				passes := false
				for _, f := range i.filters() {
					passes = passes || matches(f, record)
				}
				if passes == irrelevant {
					t.Errorf("%s: record %d passes: %v", b.Name, n, passes)
				}
			}
		}
	})
}
