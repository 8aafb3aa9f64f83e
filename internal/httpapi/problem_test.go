package httpapi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/parley/internal/problem"
)

// TestProblem_TypesAreListedInTheDocs compares the list with the table of types.
func TestProblem_TypesAreListedInTheDocs(t *testing.T) {
	const (
		path = "../../docs/problems.md"
		from = "<!-- Generated: go test ./internal/httpapi -run Problem_TypesAre -args -update -->\n"
		to   = "<!-- End of the generated part -->"
	)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), from)
	old, after, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("%s has no generated part", path)
	}
	want := "| type | title | status | retryable | meaning |\n| --- | --- | --- | --- | --- |\n"
	for _, p := range problem.Types() {
		retryable := map[bool]string{true: "yes", false: "no"}[p.Retryable]
		want += fmt.Sprintf("| `%s` | %s | %d | %s | %s |\n", p.URI(), p.Title, p.Status, retryable, p.Meaning)
	}
	switch {
	case *update:
		if err := os.WriteFile(path, []byte(before+from+want+to+after), 0o600); err != nil {
			t.Fatal(err)
		}
	case old != want:
		t.Errorf("%s is stale; go test ./internal/httpapi -run Problem_TypesAre -args -update writes it", path)
	}
}

// TestProblemPage_IsAtEachType follows the type of each problem.
func TestProblemPage_IsAtEachType(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, p := range problem.Types() {
		got := a.do(t, "GET", p.URI(), "", userHeader, "")
		if got.status != 200 || !strings.Contains(got.text, "<h1>"+p.Title+"</h1>") || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d %s", p.URI(), got.status, got.text)
		}
	}
	checkProblem(t, "an unknown type", a.want(t, 404, "GET", "/problems/none", ""))
}
