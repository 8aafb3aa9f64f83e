package doctor

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/test/templates"
)

// TestLogs_AreOfAllFunctions compares the logs that the doctor reads with the functions of a stack
// but for those that no person calls.
func TestLogs_AreOfAllFunctions(t *testing.T) {
	t.Parallel()
	text, err := templates.Read("../..", "dev")
	if err != nil {
		t.Fatal(err)
	}
	var stack struct {
		Resources map[string]struct{ Type string }
	}
	if err := json.Unmarshal(text, &stack); err != nil {
		t.Fatal(err)
	}
	var want []string
	for id, r := range stack.Resources {
		if r.Type == "AWS::Lambda::Function" && id != "CanaryFunction" && id != "PageFunction" {
			want = append(want, strings.TrimSuffix(id, "Function")+"Logs")
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(slices.Values(logs)); !slices.Equal(got, want) {
		t.Errorf("the doctor reads %q, want %q", got, want)
	}
}
