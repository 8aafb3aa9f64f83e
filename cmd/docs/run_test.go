package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

func TestInCI_RefusesWhatCIDoesNotRun(t *testing.T) {
	t.Parallel()
	if err := inCI("../..", docs.Block{File: "a.md", Text: "make test    # every test\n"}); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"make tes\n", "make test\nmake moon\n"} {
		if err := inCI("../..", docs.Block{File: "a.md", Text: text}); err == nil {
			t.Errorf("%q passes, but CI does not run it", text)
		}
	}
}

func TestCheck_WantsTheAnswers(t *testing.T) {
	t.Parallel()
	const file = "docs/api.md"
	all := strings.Join(wanted[file], " ")
	if err := check(file, all); err != nil {
		t.Error(err)
	}
	for _, printed := range []string{"", strings.ReplaceAll(all, `"unread":`, ""), all + refused, all + failed} {
		if check(file, printed) == nil {
			t.Errorf("%q passes", printed)
		}
	}
}

// TestRunner_PassesOverSamples has one block of each kind that is not run.
func TestRunner_PassesOverSamples(t *testing.T) {
	t.Parallel()
	r := inFolder(t, map[string]string{
		"README.md": "```json\n{}\n```\n```text\na\n```\n```mermaid\nflowchart LR\n```\n", ".ci/run": "make test\n",
	})
	if err := r.files(t.Context()); err == nil || strings.Contains(err.Error(), "nothing runs") {
		t.Errorf("files = %v, want only the answers that are missing", err)
	}
}

// TestRunner_FailsWithItsBlocks runs files with one defect each.
func TestRunner_FailsWithItsBlocks(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"a command that fails", "```sh\nfalse\n```\n", "README.md:1 failed"},
		{"a command before the last that fails", "```sh\nfalse\ntrue\n```\n", "README.md:1 failed"},
		{"a server that ends", "```sh serve\ntrue\n```\n", "ended before the server was ready"},
		{
			"a server that ends later",
			"```sh serve\necho ready http://here; until [ -f end ]; do sleep 0.05; done; rm end\n```\n" +
				"```sh\ntouch end; while [ -f end ]; do sleep 0.05; done; sleep 0.5\n```\n",
			"the server ended by itself",
		},
		{"a command that CI does not run", "```sh ci\nmake moon\n```\n", "does not run"},
		{"a block that is not marked", "```\ntrue\n```\n", "no info string"},
		{"sam on the machine's network", "```sh sam a\nsam local invoke -t t.json F -e e.json --env-vars v.json --docker-network host\n```\n", "ignores the network host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := inFolder(t, map[string]string{"README.md": tt.text, ".ci/run": "make test\n"})
			err := errors.Join(r.files(t.Context()), r.stopServer())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("files = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// inFolder returns a runner in a folder with some files. In its shells, sam is this test's binary.
func inFolder(t *testing.T, files map[string]string) *runner {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "sam")); err != nil {
		t.Fatal(err)
	}
	return &runner{dir: dir, env: environment(bin), out: t.Output()}
}

// TestMain lets the test's binary act as sam, as the command does.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "sam" {
		if err := run(context.Background(), os.Args, os.Stdout); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
