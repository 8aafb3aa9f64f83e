package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

func TestCheckWorkflows_AreSafe(t *testing.T) {
	t.Parallel()
	if err := docs.CheckWorkflows("../.."); err != nil {
		t.Error(err)
	}
}

// TestCheckWorkflows_NamesEachFault changes the repository's workflow in ways that make it unsafe.
func TestCheckWorkflows_NamesEachFault(t *testing.T) {
	t.Parallel()
	sound, err := os.ReadFile("../../.github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	const checkout = "- uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8"
	for _, tt := range []struct{ name, old, new, want string }{
		{"a tag", checkout, "- uses: actions/checkout@v5", "actions/checkout@v5 is not pinned"},
		{"a short commit", checkout, checkout[:len(checkout)-1], "is not pinned"},
		{"a quoted tag", checkout, `- uses: "actions/checkout@v5"`, "actions/checkout@v5 is not pinned"},
		{"braces", checkout, "- {uses: actions/checkout@v5}", "a line of its own"},
		{"no pin", checkout, "- uses: actions/checkout", "is not pinned"},
		{"another command", "run: bash .ci/run", "run: make test", "bash .ci/run"},
		{"a command in a comment", "- run: bash .ci/run", "- run: true # run: bash .ci/run", "bash .ci/run"},
		{"more rights", "contents: read", "contents: write", "it may write"},
		{"no timeout", "timeout-minutes: 60", "# timeout-minutes: 60", "timeout-minutes"},
	} {
		changed := strings.Replace(string(sound), tt.old, tt.new, 1)
		if changed == string(sound) {
			t.Fatalf("%s: nothing is changed", tt.name)
		}
		dir := filepath.Join(t.TempDir(), ".github", "workflows")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "ci.yml"), []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := docs.CheckWorkflows(filepath.Dir(filepath.Dir(dir))); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: CheckWorkflows = %v, want %q", tt.name, err, tt.want)
		}
	}
	if err := docs.CheckWorkflows(t.TempDir()); err == nil {
		t.Error("a repository without a workflow passes")
	}
}

// TestCheckWorkflows_ActionsOfOurs puts an action that is not pinned into an action of the repository.
func TestCheckWorkflows_ActionsOfOurs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	sound, err := os.ReadFile("../../.github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"workflows/ci.yml":           string(sound),
		"actions/prepare/action.yml": "runs:\n  steps:\n    - uses: actions/setup-go@v6\n",
	} {
		file := filepath.Join(root, ".github", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := docs.CheckWorkflows(root); err == nil || !strings.Contains(err.Error(), "setup-go@v6 is not pinned") {
		t.Errorf("CheckWorkflows = %v, want the action that is not pinned", err)
	}
}
