package docs

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// shell starts a shell in an empty folder.
func shell(ctx context.Context, t *testing.T) *Shell {
	t.Helper()
	s, err := NewShell(ctx, t.TempDir(), os.Environ())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestShell_KeepsVariablesAndFunctions(t *testing.T) {
	t.Parallel()
	s := shell(t.Context(), t)
	if _, err := s.Run(Block{File: "docs/a.md", Text: "NAME=ann\ngreet() { echo \"hello $1\"; }\nread LINE || true\n"}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Run(Block{File: "docs/a.md", Text: "greet \"$NAME$LINE\"; printf aside >&2\n"})
	if err != nil || got != "hello ann\naside" {
		t.Errorf("Run = %q, %v", got, err)
	}
}

func TestShell_NamesTheLineThatFailed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"false":                   "docs/a.md:9: status 1\n",
		"false | cat":             "docs/a.md:9: status 1\n",
		"x=$(false)":              "docs/a.md:9: status 1\n",
		"f() {\n  return 3\n}\nf": "docs/a.md:12: status 3\n",
		"echo \"$NOT_SET\"":       "docs/a.md: line 9: NOT_SET: unbound variable",
		"exit 0":                  "docs/a.md:7 failed: status 0",
		"echo 'open":              "docs/a.md: line 9: unexpected EOF",
		"sleep 60 & nowhere":      "docs/a.md:9: status 127\n",
	} {
		s := shell(t.Context(), t)
		got, err := s.Run(Block{File: "docs/a.md", Line: 7, Text: "echo before\n" + text + "\necho after\n"})
		if err == nil || !strings.HasPrefix(err.Error(), "docs/a.md:7 failed: ") || !strings.Contains(err.Error(), want) || strings.Contains(got, "after") {
			t.Errorf("%q: Run = %q, %v; want an error with %q", text, got, err, want)
		}
		if _, err := s.Run(Block{File: "docs/a.md", Text: "echo\n"}); err == nil {
			t.Errorf("%q: the shell continues", text)
		}
	}
}

func TestShell_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := shell(ctx, t)
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := s.Run(Block{File: "a.md", Text: "sleep 60\n"}); err == nil {
		t.Error("the shell outlives its context")
	}
}
