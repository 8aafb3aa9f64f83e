package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

func TestCheckLinks_AcceptsTheRepository(t *testing.T) {
	t.Parallel()
	if err := docs.CheckLinks("../.."); err != nil {
		t.Error(err)
	}
}

func TestCheckLinks_NamesBrokenLinks(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	readme := strings.Join([]string{
		"# Top", "[good](docs/a.md) [good](docs/a.md#first-things-first) [good](#top) [good](docs) [good](https://nowhere.example)",
		"```text", "[not a link](nowhere)", "```", "[bad](docs/b.md)", "[bad](docs/a.md#second)", "[bad](#bottom)",
	}, "\n")
	for name, text := range map[string]string{"README.md": readme, "docs/a.md": "# `First` things, first!\n## Twice\n## Twice\n[good](../README.md) [good](#twice-1) [bad](../docs/a)"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := docs.CheckLinks(root)
	if err == nil {
		t.Fatal("CheckLinks accepts every link")
	}
	want := []string{"README.md:6: docs/b.md", "README.md:7: docs/a.md#second", "README.md:8: #bottom", "docs/a.md:4: ../docs/a"}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(want) {
		t.Fatalf("CheckLinks = %v", err)
	}
	for i, begins := range want {
		if !strings.HasPrefix(lines[i], begins) {
			t.Errorf("%q, want it to begin with %q", lines[i], begins)
		}
	}
}

// TestUnreachable_NamesNoPage fails on a page that a reader cannot find. Decisions are pages too.
func TestUnreachable_NamesNoPage(t *testing.T) {
	t.Parallel()
	pages, err := docs.Unreachable("../..")
	if err != nil || len(pages) > 0 {
		t.Errorf("no link leads to %v (%v)", pages, err)
	}
}

func TestUnreachable_FollowsLinks(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "[a](docs/a.md#top)", "docs/a.md": "[b](sub/b.md) [back](../README.md)", "docs/sub/b.md": "[a](../a.md)",
		"docs/c.md": "[d](d.md)", "docs/d.md": "```text\n[c](c.md)\n```",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := docs.Unreachable(root)
	if err != nil || strings.Join(pages, " ") != "docs/c.md docs/d.md" {
		t.Errorf("Unreachable = %v, %v", pages, err)
	}
}

// TestREADME_IsShort keeps the first page to a newcomer's needs: the rest has pages of its own.
func TestREADME_IsShort(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 120 {
		t.Errorf("README.md has %d lines: at most 120", lines)
	}
}
