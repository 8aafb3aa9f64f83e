package docs

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
)

// root is the repository's folder.
const root = "../.."

// read returns a file of the repository.
func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// match returns the files whose names match the patterns.
func match(t *testing.T, patterns ...string) []string {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		found, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	return files
}

// texts returns the texts of the repository's files that a function picks.
func texts(t *testing.T, picks func(file string) bool) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, entry fs.DirEntry, err error) error {
		if name := path.Base(file); err == nil && (name == "node_modules" || name != "." && name[0] == '.') && entry.IsDir() {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() && picks(file) {
			all.Write(read(t, file))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// pictures finds the files of pictures in HTML.
var pictures = regexp.MustCompile(`\bsrc(?:set)?="([^"]*)"`)

// TestPages_LinksLead follows the links within the documentation, to headings too. It fails on a
// page to which no link leads.
func TestPages_LinksLead(t *testing.T) {
	t.Parallel()
	anchors, linked := map[string]bool{}, map[string]bool{"README.md": true}
	type link struct{ from, to, at string }
	var links []link
	for _, file := range match(t, pages...) {
		text := read(t, file)
		for _, n := range nodes(text) {
			var targets []string
			switch n := n.(type) {
			case *ast.Heading:
				id, _ := n.AttributeString("id")
				anchors[file+"#"+string(id.([]byte))] = true
			case *ast.Link:
				targets = []string{string(n.Destination)}
			case *ast.Image:
				targets = []string{string(n.Destination)}
			case *ast.HTMLBlock:
				for _, found := range pictures.FindAllSubmatch(n.Lines().Value(text), -1) {
					targets = append(targets, string(found[1]))
				}
			}
			for _, to := range targets {
				if to != "" && !strings.Contains(to, ":") {
					links = append(links, link{file, to, Block{File: file, Line: line(text, n)}.String()})
				}
			}
		}
	}
	for _, l := range links {
		name, anchor, _ := strings.Cut(l.to, "#")
		to := l.from
		if name != "" {
			to = path.Join(path.Dir(l.from), name)
		}
		linked[to] = linked[to] || to != l.from
		if _, err := os.Stat(filepath.Join(root, to)); err != nil {
			t.Errorf("%s: %s does not exist", l.at, to)
		} else if anchor != "" && !anchors[to+"#"+anchor] {
			t.Errorf("%s: %s has no heading #%s", l.at, to, anchor)
		}
	}
	for _, file := range match(t, pages...) {
		if !linked[file] {
			t.Errorf("no link of another page leads to %s", file)
		}
	}
}

// TestPages_AreInTheIndex fails on a page of docs that docs/README.md does not link to.
func TestPages_AreInTheIndex(t *testing.T) {
	t.Parallel()
	index := string(read(t, "docs/README.md"))
	for _, file := range match(t, "docs/*.md") {
		if name := path.Base(file); name != "README.md" && !strings.Contains(index, "]("+name) {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

// TestPages_NameWhatExists looks for the files that the recipes of CONTRIBUTING.md name, and for
// the tests that pages, scripts and the Makefile name: go test succeeds if -run selects nothing.
func TestPages_NameWhatExists(t *testing.T) {
	t.Parallel()
	pathLike := regexp.MustCompile(`^(?:\./)?[\w.-]+(?:/[\w.-]+)+/?$|^[\w.-]+\.(?:go|md|json|txt)$`)
	contributing := read(t, "CONTRIBUTING.md")
	for _, n := range nodes(contributing) {
		if span, ok := n.(*ast.CodeSpan); ok {
			name := string(span.FirstChild().(*ast.Text).Value(contributing))
			if _, err := os.Stat(filepath.Join(root, name)); pathLike.MatchString(name) && err != nil {
				t.Errorf("CONTRIBUTING.md:%d: %s does not exist", line(contributing, n), name)
			}
		}
	}

	tests := strings.Join(regexp.MustCompile(`(?m)^func Test\w+`).FindAllString(
		texts(t, func(file string) bool { return strings.HasSuffix(file, "_test.go") }), -1), "\n")
	named := regexp.MustCompile(`\bTest[A-Z]\w+| -run '?([\w|]+)`)
	for _, file := range match(t, append([]string{"Makefile", ".ci/*", "scripts/*"}, pages...)...) {
		if strings.HasSuffix(file, ".mjs") { // its tests are made up
			continue
		}
		for _, found := range named.FindAllStringSubmatch(string(read(t, file)), -1) {
			for name := range strings.SplitSeq(strings.TrimPrefix(found[0], " -run "), "|") {
				if !strings.Contains(tests, strings.Trim(name, "'")) {
					t.Errorf("%s: there is no test %s", file, name)
				}
			}
		}
	}
}

// TestChangelog_IsOnePage bounds the changelog until there is a release, with a quarter more than the
// 80 lines of November 2026.
func TestChangelog_IsOnePage(t *testing.T) {
	t.Parallel()
	text := string(read(t, "CHANGELOG.md"))
	if n := strings.Count(text, "\n"); n > 100 && !strings.Contains(text, "\n## [1.0.0] - ") {
		t.Errorf("CHANGELOG.md has %d lines, more than 100: extend or remove others before you add one", n)
	}
}

// TestPages_DecisionsFollowTheTemplate checks each decision record: its number, title, date, status
// and parts, its line of the index, and that code or a guide cites it, where a reader meets the
// question that it answers.
func TestPages_DecisionsFollowTheTemplate(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`(?s)^# (\d+)\. ([^\n]+)\n\n- Date: \d{4}-\d\d-\d\d\n- Status: (?:accepted|proposed|superseded by \[ADR [^\n]+)\n.*\n` +
		`## Context\n.*\n## Decision\n.*\n## Consequences\n`)
	text := texts(t, func(file string) bool {
		return !strings.HasPrefix(file, "docs/adr") && file != "CHANGELOG.md" &&
			(path.Ext(file) == ".md" || path.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go"))
	})
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "//", "")), " ") // a citation may be wrapped
	index := string(read(t, "docs/adr/README.md"))
	for _, file := range match(t, "docs/adr/[^R]*") {
		parts := form.FindStringSubmatch(string(read(t, file)))
		name := path.Base(file)
		if parts == nil || strings.TrimLeft(name[:4], "0") != parts[1] {
			t.Errorf("%s does not begin with its number, a title, a date and a status, or its parts are not context, decision and consequences", file)
			continue
		}
		if entry := "\n- [" + parts[1] + ". " + parts[2] + "](" + name + ")\n"; !strings.Contains(index, entry) {
			t.Errorf("docs/adr/README.md has no line %s", strings.TrimSpace(entry))
		}
		if !strings.Contains(text, "adr/"+name) && !regexp.MustCompile(`ADR `+parts[1]+`\b`).MatchString(text) {
			t.Errorf("no code and no guide cites %s; cite it or remove it", file)
		}
	}
}

// TestBlock_WorksInAnAccount checks that a journey of make test-deploy runs each block for an
// account, and where its emulator accepts more than AWS: a block with the words of when needs the
// words of want.
func TestBlock_WorksInAnAccount(t *testing.T) {
	t.Parallel()
	blocks, err := Read(root)
	if err != nil {
		t.Fatal(err)
	}
	journeys := string(read(t, "infra/deploytest/guide_test.go"))
	for _, b := range blocks {
		if b.Kind == AWS && !strings.Contains(journeys, fmt.Sprintf("file: %q, block: %q", b.File, b.Name)) {
			t.Errorf("%s: infra/deploytest does not run it", b)
		}
	}
	for _, k := range []struct{ what, when, want string }{
		{"a restore takes longer than one wait: 25 tries, 20 seconds apart", "aws dynamodb restore-table-", "until aws dynamodb wait table-exists"},
		{"a table is busy after its protection is removed", "--no-deletion-protection-enabled", "wait table-exists"},
		{"an invitation is a text message unless the command asks for a mail", "Name=email_verified,Value=true", "--desired-delivery-mediums EMAIL"},
	} {
		for _, b := range blocks {
			if strings.Contains(b.Text, k.when) && !strings.Contains(b.Text, k.want) {
				t.Errorf("%s: %s", b, k.what)
			}
		}
	}
}

// TestPages_WorkflowsArePinned checks that workflows use actions by their commits only, cannot
// write to the repository, and end.
func TestPages_WorkflowsArePinned(t *testing.T) {
	t.Parallel()
	pinned := regexp.MustCompile(`(?m)^ *- uses: (\./\.github/[\w/]+|[\w./-]+@[0-9a-f]{40})( #.*)?$`)
	for _, file := range match(t, ".github/workflows/*", ".github/actions/*/*") {
		text := string(read(t, file))
		if strings.Count(text, "uses:") != len(pinned.FindAllString(text, -1)) {
			t.Errorf("%s: pin each action by a commit, on a line of its own", file)
		}
		if strings.Contains(file, "workflows") && (strings.Count(text, "permissions:") != 1 ||
			!strings.Contains(text, "\npermissions:\n  contents: read\n\n") || !strings.Contains(text, "\n    timeout-minutes: ")) {
			t.Errorf("%s: state a timeout, and the permission to read contents only", file)
		}
	}
}
