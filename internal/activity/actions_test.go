package activity_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/activity"
)

// actionLiteral matches an action where it is recorded.
var actionLiteral = regexp.MustCompile(`\b[aA]ction\w*\b[^"\n]*"([a-z]+\.[a-z]+)"`)

// TestActions_AreThoseThatAreRecorded looks for all actions in the code of the domain. The list,
// and so the API's document, contains exactly these.
func TestActions_AreThoseThatAreRecorded(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../*/*.go")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var recorded []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "../httpapi/") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			code, _, _ := strings.Cut(line, "//")
			for _, found := range actionLiteral.FindAllStringSubmatch(code, -1) {
				recorded = append(recorded, found[1])
			}
		}
	}
	slices.Sort(recorded)
	listed := slices.Sorted(slices.Values(activity.Actions()))
	if recorded = slices.Compact(recorded); !slices.Equal(recorded, listed) {
		t.Errorf("recorded %q\nlisted   %q", recorded, listed)
	}
}
