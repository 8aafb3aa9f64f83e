package docs

import (
	"io/fs"
	"os"
	"os/exec"
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

// pages returns the names of all pages.
func pages(t *testing.T) []string {
	t.Helper()
	files, err := Files(root)
	if err != nil || len(files) < 10 {
		t.Fatalf("Files = %v, %v", files, err)
	}
	return files
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

// grep returns the lines of the repository's files that git grep finds.
func grep(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"grep", "--untracked"}, args...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return string(out)
}

// TestFiles_LinksLead follows the links within the documentation, to headings too. A page to which no
// link leads is a fault.
func TestFiles_LinksLead(t *testing.T) {
	t.Parallel()
	anchors, linked := map[string]bool{}, map[string]bool{"README.md": true}
	type link struct{ from, to, at string }
	var links []link
	for _, file := range pages(t) {
		text := read(t, file)
		for _, n := range nodes(text) {
			var to string
			switch n := n.(type) {
			case *ast.Heading:
				id, _ := n.AttributeString("id")
				anchors[file+"#"+string(id.([]byte))] = true
			case *ast.Link:
				to = string(n.Destination)
			case *ast.Image:
				to = string(n.Destination)
			}
			if to != "" && !strings.Contains(to, ":") {
				links = append(links, link{file, to, Block{File: file, Line: line(text, n)}.String()})
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
	for _, file := range pages(t) {
		if !linked[file] {
			t.Errorf("no link of another page leads to %s", file)
		}
	}
}

// TestFiles_NameWhatExists looks for the files that the recipes of CONTRIBUTING.md name, and for the
// tests that pages, scripts and the Makefile name: go test succeeds if -run selects nothing.
func TestFiles_NameWhatExists(t *testing.T) {
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

	tests := grep(t, "-hE", `^func Test`, "--", "*_test.go")
	named := regexp.MustCompile(`\bTest[A-Z]\w+| -run '?([\w|]+)`)
	for _, file := range append(pages(t), match(t, "Makefile", ".ci/*", "scripts/[a-z]*[a-z]")...) {
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

// TestFiles_DecisionsFollowTheTemplate checks each decision record: its number, title, date, status
// and parts, its line of the index, and that code or a guide cites it, where a reader meets the
// question that it answers.
func TestFiles_DecisionsFollowTheTemplate(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`(?s)^# (\d+)\. ([^\n]+)\n\n- Date: \d{4}-\d\d-\d\d\n- Status: (?:accepted|proposed|superseded by \[ADR [^\n]+)\n.*\n` +
		`## Context\n.*\n## Decision\n.*\n## Consequences\n`)
	// A citation may go over the end of a line.
	text := grep(t, "-hE", "-A1", `\bADR$|ADR [0-9]|adr/`, "--", "*.md", "*.go", ":!docs/adr", ":!*_test.go", ":!CHANGELOG.md")
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "//", "")), " ")
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

// TestBlock_WorksOnTheRealService checks where the emulator, on which make test-deploy runs blocks,
// accepts more than AWS. A block with the words of when needs the words of want.
func TestBlock_WorksOnTheRealService(t *testing.T) {
	t.Parallel()
	blocks, err := Read(root)
	if err != nil {
		t.Fatal(err)
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

// TestFiles_WorkflowsArePinned checks that workflows use actions by their commits only, cannot write
// to the repository, and end.
func TestFiles_WorkflowsArePinned(t *testing.T) {
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
