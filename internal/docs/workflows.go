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
// by a commit, and every workflow that runs neither the gate nor make nightly, may write to the
// repository or has no timeout. It also fails if there is no workflow.
func CheckWorkflows(root string) error {
	workflows, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*"))
	if err != nil || len(workflows) == 0 {
		return fmt.Errorf("check workflows: %d files, %w", len(workflows), err)
	}
	actions, err := filepath.Glob(filepath.Join(root, ".github", "actions", "*", "action.yml"))
	if err != nil {
		return fmt.Errorf("check workflows: %w", err)
	}
	return errors.Join(eachFile(workflows, workflowFaults), eachFile(actions, actionFaults))
}

// eachFile joins the faults that a function finds in the text of each file.
func eachFile(files []string, faults func(string) []string) error {
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("check workflows: %w", err)
		}
		for _, fault := range faults(withoutComments(string(text))) {
			errs = append(errs, fmt.Errorf("%s: %s", filepath.Base(file), fault))
		}
	}
	return errors.Join(errs...)
}

// actionFaults returns the actions that a text uses and does not pin.
func actionFaults(text string) (faults []string) {
	uses := usesAction.FindAllStringSubmatch(text, -1)
	for _, u := range uses {
		if !pinned.MatchString(u[1]) && !strings.HasPrefix(u[1], "./.github/") {
			faults = append(faults, u[1]+" is not pinned by a commit")
		}
	}
	if n := len(usesAnything.FindAllString(text, -1)); n != len(uses) {
		faults = append(faults, "write each uses on a line of its own")
	}
	return faults
}

func workflowFaults(text string) []string {
	faults := actionFaults(text)
	if !strings.Contains(text, "run: bash .ci/run\n") && !strings.Contains(text, "run: make nightly\n") {
		faults = append(faults, "it runs neither bash .ci/run nor make nightly")
	}
	for _, line := range []string{"\npermissions:\n  contents: read\n", "\n    timeout-minutes: "} {
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
