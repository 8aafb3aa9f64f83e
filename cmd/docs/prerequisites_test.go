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
