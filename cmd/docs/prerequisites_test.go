package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrerequisites_SayInOneSentenceWhatToInstall runs the script with tools that are missing or
// old.
func TestPrerequisites_SayInOneSentenceWhatToInstall(t *testing.T) {
	t.Parallel()
	const newGo, newNode = `case "$2" in GOVERSION) echo go1.99.0;; *) echo local;; esac`, `echo 99.1.0`
	for _, c := range []struct{ name, goScript, nodeScript, want string }{
		{"both are there", newGo, newNode, ""},
		{"no Go", "", newNode, "install it from https://go.dev/dl"},
		{"an old Go", strings.ReplaceAll(newGo, "go1.99.0", "go1.9.7"), newNode, "this is Go 1.9.7: install a newer one"},
		{"an old Go that gets a newer one", strings.NewReplacer("go1.99.0", "go1.21.0", "echo local", "echo auto").Replace(newGo), newNode, ""},
		{"no Node", newGo, "", "install it from https://nodejs.org"},
		{"an old Node", newGo, "echo 9.11.2", "this is Node 9.11.2: install a newer one"},
		{"a Node that works no more", newGo, "echo 18.20.8", "this is Node 18.20.8: install a newer one"},
		{"a Node that has ended", newGo, "echo 20.20.2", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "/bin/bash", "../../scripts/prerequisites")
			cmd.Env = []string{"PATH=" + toolsOf(t, map[string]string{"go": c.goScript, "node": c.nodeScript})}
			out, err := cmd.CombinedOutput()
			if text := string(out); (err == nil) != (c.want == "") || !strings.Contains(text, c.want) || strings.Count(text, "\n") > 1 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestPrerequisites_WarnOfANodeThatHasEnded runs the script with a version that works.
func TestPrerequisites_WarnOfANodeThatHasEnded(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"20.20.2": "Node 20.20.2 has reached its end: install Node 22 or 24 from https://nodejs.org.\n", "22.0.0": "", "24.11.0": "",
	} {
		cmd := exec.CommandContext(t.Context(), "/bin/bash", "../../scripts/prerequisites")
		cmd.Env = []string{"PATH=" + toolsOf(t, map[string]string{"go": "echo go1.99.0", "node": "echo " + version})}
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("with Node %s: %v, %q", version, err, out)
		}
	}
}

// TestPrerequisites_NameOneVersionOfNode compares the guides and the workflows with the script.
func TestPrerequisites_NameOneVersionOfNode(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"scripts/prerequisites": "node_needed=22 ", ".github/actions/prepare/action.yml": "node-version: 24 ",
		"README.md": "Node 22 or 24", "CONTRIBUTING.md": "Node 22 or 24", "docs/deploy.md": "Node 22 or 24",
	} {
		if text := strings.Join(strings.Fields(textOf(t, file)), " ") + " "; !strings.Contains(text, want) {
			t.Errorf("%s does not state %q", file, want)
		}
	}
}

// TestPrerequisites_NoWarningIsHidden reads what starts the CDK, whose warnings can be silenced by
// variables.
func TestPrerequisites_NoWarningIsHidden(t *testing.T) {
	t.Parallel()
	files := []string{"../../Makefile"}
	for _, pattern := range []string{"scripts/*", ".ci/*", ".github/*/*.yml", ".github/*/*/*.yml", "infra/*/*.go"} {
		found, err := filepath.Glob("../../" + pattern)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		if strings.Contains(textOf(t, strings.TrimPrefix(file, "../../")), "JSII_SILENCE") {
			t.Errorf("%s hides warnings of the CDK", file)
		}
	}
}

// textOf returns a file of the repository.
func textOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// toolsOf returns a folder with the given scripts, and with the tools that the script itself uses.
func toolsOf(t *testing.T, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash", "dirname", "sed", "sort", "head"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, script := range scripts {
		if script == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
