package stack_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilters_PassTheEventFiles: the files are the function's input, except the one that shows how
// the function treats anything else.
func TestFilters_PassTheEventFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "events", "feed", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	each(t, func(t *testing.T, d deployment) {
		i := &inspection{template: d.template}
		for _, file := range files {
			var event struct{ Records []json.RawMessage }
			if err := readJSON(file, &event); err != nil {
				t.Fatal(file, err)
			}
			irrelevant := strings.HasPrefix(filepath.Base(file), "irrelevant")
			for n, text := range event.Records {
				var record any
				if err := json.Unmarshal(text, &record); err != nil {
					t.Fatal(file, err)
				}
				passes := false
				for _, f := range i.filters() {
					passes = passes || matches(f, record)
				}
				if passes == irrelevant {
					t.Errorf("%s: record %d passes: %v", filepath.Base(file), n, passes)
				}
			}
		}
	})
}
