package docs_test

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/docs"
)

func TestCheckDecisions_AcceptsTheRepository(t *testing.T) {
	t.Parallel()
	if err := docs.CheckDecisions("../.."); err != nil {
		t.Error(err)
	}
}

func TestCheckDecisions_NamesEachDefect(t *testing.T) {
	t.Parallel()
	const (
		head = "# 1. One range\n\n- Date: 2026-11-21\n- Status: accepted\n\n"
		body = "## Context\n\nText.\n\n## Decision\n\nText.\n\n## Consequences\n\nText.\n"
		line = "# Decisions\n\n- [1. One range](0001-one-range.md)\n"
	)
	tests := []struct{ name, file, text, index, want string }{
		{"none", "0001-one-range.md", head + body, line, ""},
		{"a name without its number", "one-range.md", head + body, line, "the name is not"},
		{"another number", "0002-one-range.md", head + body, line, "has the number 1"},
		{"no date", "0001-one-range.md", strings.Replace(head, "- Date: 2026-11-21\n", "", 1) + body, line, "does not begin"},
		{"no status", "0001-one-range.md", strings.Replace(head, "accepted", "", 1) + body, line, "does not begin"},
		{"no consequences", "0001-one-range.md", head + strings.Replace(body, "## Consequences", "", 1), line, "the parts are"},
		{"another order", "0001-one-range.md", head + "## Decision\n\n## Context\n\n## Consequences\n", line, "the parts are"},
		{"another title in the index", "0001-one-range.md", head + body, "# Decisions\n\n- [1. Ranges](0001-one-range.md)\n", "the index has no line"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			folder := filepath.Join(root, "docs", "adr")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{tt.file: tt.text, "README.md": tt.index} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := docs.CheckDecisions(root)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("CheckDecisions = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestDecisions_AreCited finds each record named in code or in a guide, where a reader meets the
// question that it answers.
func TestDecisions_AreCited(t *testing.T) {
	t.Parallel()
	const root = "../.."
	var cited strings.Builder
	for _, folder := range []string{"README.md", "cmd", "docs", "functions", "infra", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.Name() == "adr" {
				return cmp.Or(err, fs.SkipDir)
			}
			if strings.HasSuffix(path, "_test.go") || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md" {
				return nil
			}
			text, err := os.ReadFile(path)
			cited.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(cited.String(), "//", "")), " ")
	entries, err := os.ReadDir(filepath.Join(root, "docs", "adr"))
	if err != nil || len(entries) < 2 {
		t.Fatalf("the records are %v, %v", entries, err)
	}
	for _, entry := range entries {
		number := strings.TrimLeft(strings.SplitN(entry.Name(), "-", 2)[0], "0")
		if entry.Name() != "README.md" && !strings.Contains(text, "adr/"+entry.Name()) && !regexp.MustCompile(`ADR `+number+`\b`).MatchString(text) {
			t.Errorf("no code and no guide cites docs/adr/%s; cite it or remove it", entry.Name())
		}
	}
}
