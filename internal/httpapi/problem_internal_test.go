package httpapi

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/parley/internal/problem"
)

// TestProblem_TypesAreListedInTheDocs checks that the list contains exactly the types, each once
// with its title, its status and whether it is retryable.
func TestProblem_TypesAreListedInTheDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/problems.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, p := range problem.Types() {
		want[p.URI()] = fmt.Sprint(p.Title, " ", p.Status, " ", p.Retryable)
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || !strings.Contains(cells[1], "urn:") {
			continue
		}
		name := strings.Trim(cells[1], " `")
		listed := fmt.Sprint(strings.TrimSpace(cells[2]), " ", strings.TrimSpace(cells[3]), " ", strings.TrimSpace(cells[4]) == "yes")
		if want[name] != listed {
			t.Errorf("%s is listed as %s, is %q", name, listed, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}
