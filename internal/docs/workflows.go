package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	// usesAction matches the action that a step of a workflow uses, with its version.
	usesAction = regexp.MustCompile(`(?m)^[\s-]*["']?uses["']?\s*:\s*["']?([^\s"'#]+)`)
	// usesAnything matches every other way to write it, such as within braces.
	usesAnything = regexp.MustCompile(`\buses["']?\s*:`)
	// pinned matches an action at a commit.
	pinned = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}$`)
)

// CheckWorkflows returns an error that names every action in .github/workflows that is not pinned
// by a commit, and every workflow that does not run .ci/run, may write to the repository or has no
// timeout. It also fails if there is no workflow.
func CheckWorkflows(root string) error {
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("check workflows: %d files, %w", len(files), err)
	}
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("check workflows: %w", err)
		}
		for _, fault := range workflowFaults(string(text)) {
			errs = append(errs, fmt.Errorf("%s: %s", filepath.Base(file), fault))
		}
	}
	return errors.Join(errs...)
}

func workflowFaults(text string) (faults []string) {
	text = withoutComments(text)
	uses := usesAction.FindAllStringSubmatch(text, -1)
	for _, u := range uses {
		if !pinned.MatchString(u[1]) {
			faults = append(faults, u[1]+" is not pinned by a commit")
		}
	}
	if n := len(usesAnything.FindAllString(text, -1)); n != len(uses) {
		faults = append(faults, "write each uses on a line of its own")
	}
	for _, line := range []string{"run: bash .ci/run\n", "\npermissions:\n  contents: read\n", "\n    timeout-minutes: "} {
		if !strings.Contains(text, line) {
			faults = append(faults, fmt.Sprintf("%q is missing", strings.TrimSpace(line)))
		}
	}
	if strings.Contains(text, ": write") {
		faults = append(faults, "it may write")
	}
	return faults
}

// withoutComments returns a text without the comments that YAML allows.
func withoutComments(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " #")
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			kept.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return kept.String()
}
