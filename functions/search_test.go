package functions_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/test/runtimestub"
)

// sweepEvent is the event file of the daily schedule.
const sweepEvent = "sweep"

// sweep invokes the search function as its schedule does. The index of the former requests remains,
// and a failure is Lambda's to count.
func sweep(t *testing.T, fn *runtimestub.Function, files *filesStub) {
	t.Helper()
	event := readEvent(t, "search", sweepEvent)
	files.put("_search/gone/index")
	if answer, err := invokeRaw(t, fn, event); err != nil || answer != "null" {
		t.Errorf("sweep: %s, %v", answer, err)
	}
	var index []string
	for _, key := range files.keys() {
		if strings.HasPrefix(key, "_search/") {
			index = append(index, key)
		}
	}
	if !slices.Contains(index, "_search/seattle/index") || slices.Contains(index, "_search/gone/index") {
		t.Errorf("after the sweep, the index has %q", index)
	}
	files.fail(true)
	defer files.fail(false)
	if answer, err := invokeRaw(t, fn, event); err == nil {
		t.Errorf("a sweep without S3 returns %s", answer)
	}
}
