package doctor_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/doctor"
	"example.com/parley/internal/test/templates"
)

// row matches a row of the table of checks. Its groups are the names, and the rights.
var row = regexp.MustCompile(`(?m)^\| ([A-Za-z][A-Za-z, -]*) \|.*\|([^|]*)\|$`)

// TestChecks_AreInTheDocumentation compares the table of docs/operations.md with the checks of a run and
// the rights of its calls.
func TestChecks_AreInTheDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## The doctor\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names, stated []string
	for _, r := range row.FindAllStringSubmatch(section, -1) {
		if r[1] != "check" {
			names = append(names, strings.Split(r[1], ", ")...)
		}
		for _, right := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(r[2], -1) {
			stated = append(stated, right[1])
		}
	}
	slices.Sort(names)
	if want := slices.Sorted(maps.Keys(sound().findings(t))); !slices.Equal(names, want) {
		t.Errorf("docs/operations.md has the checks %q, want %q", names, want)
	}
	slices.Sort(stated)
	if want := slices.Sorted(maps.Values(needed)); !slices.Equal(stated, want) {
		t.Errorf("docs/operations.md has the rights %q, want %q", stated, want)
	}
	for _, name := range []string{"lambda:GetEventSourceMapping", "cloudformation:ListStackResources", "logs:FilterLogEvents", "lambda:InvokeFunction", doctor.Guest, doctor.RoomName} {
		if !strings.Contains(section, name) {
			t.Errorf("docs/operations.md lacks %s", name)
		}
	}
}

// TestRun_KnowsTheStackByItsName compares the name with the synthesized one.
func TestRun_KnowsTheStackByItsName(t *testing.T) {
	t.Parallel()
	text, err := templates.Read("../..", "prod")
	if err != nil {
		t.Fatal(err)
	}
	if f := sound().findings(t)["stack"]; !strings.HasPrefix(f.Found, "Parley-prod does not") || !strings.Contains(string(text), `"aws:cdk:path": "Parley-prod/`) {
		t.Errorf("the stack is not found by its name: %s", f.Found)
	}
}
