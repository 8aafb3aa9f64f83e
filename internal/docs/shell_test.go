package docs_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"parley/internal/docs"
)

func shell(t *testing.T, ctx context.Context) *docs.Shell {
	t.Helper()
	s, err := docs.NewShell(ctx, t.TempDir(), os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func block(text string) docs.Block { return docs.Block{File: "a.md", Line: 7, Text: text} }

func TestShell_KeepsVariablesAndFunctions(t *testing.T) {
	t.Parallel()
	s := shell(t, t.Context())
	if err := s.Set("NAME", "it's $HOME"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(block("greet() { echo \"hello $1\"; }\n")); err != nil {
		t.Fatal(err)
	}
	got, err := s.Run(block("greet \"$NAME\"; echo aside >&2\n"))
	if err != nil || got != "hello it's $HOME\naside\n" {
		t.Errorf("Run = %q, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestShell_FailsInTheMiddleOfABlock(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"echo before\nfalse\necho after\n", "echo before\nfalse | cat\necho after\n",
		"echo before\necho \"$NOT_SET\"\necho after\n", "echo before\nexit 0\n"} {
		s := shell(t, t.Context())
		got, err := s.Run(block(text))
		if err == nil || !strings.Contains(err.Error(), "a.md:7") {
			t.Errorf("%q: Run = %v, want an error that names the block", text, err)
		}
		if !strings.HasPrefix(got, "before\n") || strings.Contains(got, "after") {
			t.Errorf("%q printed %q", text, got)
		}
		if _, err := s.Run(block("echo\n")); err == nil {
			t.Errorf("%q: the shell continues", text)
		}
	}
}

func TestShell_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := shell(t, ctx)
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := s.Run(block("sleep 60\n")); err == nil {
		t.Error("the shell outlives its context")
	}
}
