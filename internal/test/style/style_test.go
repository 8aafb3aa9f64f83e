package style

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

const (
	root        = "../../.."
	pendingFile = "pending.txt"
	// maxShown is the number of findings printed for one measure of one package.
	maxShown = 10
	// minFiles is below the number of files of the module; fewer were not read.
	minFiles = 450
)

var shrink = flag.Bool("shrink", false, "remove the entries of pending.txt that hold")

// elsewhere are folders that hold none of the module's code.
var elsewhere = []string{"node_modules", "testdata", "tools", "cdk.out", "bin"}

// result is the outcome of one measure of one package.
type result struct {
	holds    bool
	value    string // for the table
	findings []string
}

func TestStyle(t *testing.T) {
	module := load(t)
	pending := readPending(t)
	var left []string
	table := newTable()
	var lengths, files []int
	for _, dir := range slices.Sorted(maps.Keys(module)) {
		results, own := measurePackage(dir, module)
		lengths = append(lengths, own...)
		files = append(files, fileLengths(module[dir])...)
		table.row(dir, results, pending)
		for _, name := range slices.Sorted(maps.Keys(results)) {
			r, entry := results[name], dir+" "+name
			open := slices.Contains(pending, entry)
			switch {
			case !r.holds && open:
				left = append(left, entry)
				t.Logf("%s: pending\n%s", entry, shown(r.findings))
			case !r.holds:
				t.Errorf("%s: %s\n%s", entry, r.value, shown(r.findings))
			case open && !*shrink:
				t.Errorf("%s holds: remove it from %s, by -args -shrink", entry, pendingFile)
			}
		}
	}
	for _, entry := range pending {
		if dir, _, _ := strings.Cut(entry, " "); module[dir] == nil && !*shrink {
			t.Errorf("%s names no package: remove it from %s, by -args -shrink", entry, pendingFile)
		}
	}
	t.Logf("per package; * is pending\n%s", table)
	checkP90(t, "functions", lengths, p90Function)
	checkP90(t, "files", files, p90File)
	if *shrink {
		writePending(t, left)
	}
}

func checkP90(t *testing.T, name string, lengths []int, limit int) {
	t.Helper()
	got := p90(lengths)
	t.Logf("%d %s, nine tenths have at most %d lines, the longest %d", len(lengths), name, got, slices.Max(lengths))
	if got > limit {
		t.Errorf("nine tenths of the %s have up to %d lines, want at most %d", name, got, limit)
	}
}

// measurePackage returns the results of all measures of one package, by their names, and the
// lengths of its functions.
func measurePackage(dir string, module map[string][]source) (map[string]result, []int) {
	found := map[string][]string{}
	var wide, long []string
	var lengths []int
	comments := 0
	for _, s := range module[dir] {
		if s.test {
			continue
		}
		found[phrases] = append(found[phrases], badPhrases(s)...)
		found[openings] = append(found[openings], badOpenings(s)...)
		found[predicates] = append(found[predicates], badPredicates(s)...)
		w, n := wideLines(s)
		wide, comments = append(wide, w...), comments+n
		for _, f := range functionsOf(s) {
			lengths = append(lengths, f.lines)
			if f.lines > maxFunction {
				long = append(long, fmt.Sprintf("%s: %s has %d lines", f.at, f.name, f.lines))
			}
		}
	}
	unnamed, count := unnamedTests(module[dir], subjects(dir, module))
	results := map[string]result{
		width:     {float64(len(wide)) <= maxWidePart*float64(comments), fmt.Sprintf("%d/%d", len(wide), comments), wide},
		tests:     {float64(count-len(unnamed)) >= minNamedTests*float64(count), fmt.Sprintf("%d/%d", count-len(unnamed), count), unnamed},
		functions: {len(long) == 0, fmt.Sprintf("%d", p90(lengths)), long},
	}
	for _, name := range []string{phrases, openings, predicates} {
		results[name] = result{len(found[name]) == 0, fmt.Sprintf("%d", len(found[name])), found[name]}
	}
	return results, lengths
}

func fileLengths(files []source) []int {
	var lengths []int
	for _, s := range files {
		if !s.test {
			lengths = append(lengths, s.lines)
		}
	}
	return lengths
}

// load parses all files of the module, whatever their build tags, by the folder of their package.
// Generated files are left out.
func load(t *testing.T) map[string][]source {
	t.Helper()
	module, files := map[string][]source{}, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(elsewhere, d.Name())) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(name), string(text))
		if err != nil {
			return err
		}
		files++
		if dir := filepath.ToSlash(filepath.Dir(name)); !ast.IsGenerated(s.file) {
			module[dir] = append(module[dir], s)
		}
		return nil
	})
	if err != nil || files < minFiles {
		t.Fatalf("%d files were read, %v", files, err)
	}
	return module
}

func parse(name, text string) (source, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return source{name, text, file, set, strings.HasSuffix(name, "_test.go"), strings.Count(text, "\n")}, err
}

// readPending returns the entries of the list, each a package and a measure.
func readPending(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(pendingFile)
	if err != nil {
		t.Fatal(err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}

func writePending(t *testing.T, entries []string) {
	t.Helper()
	var text strings.Builder
	for _, entry := range entries {
		text.WriteString(entry + "\n")
	}
	if err := os.WriteFile(pendingFile, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func shown(findings []string) string {
	if more := len(findings) - maxShown; more > 0 {
		findings = append(slices.Clone(findings[:maxShown]), fmt.Sprintf("… and %d more", more))
	}
	return "\t" + strings.Join(findings, "\n\t")
}

// table is the report that -v prints.
type table struct {
	text *bytes.Buffer
	out  *tabwriter.Writer
}

var columnNames = []string{phrases, openings, predicates, width, tests, functions}

func newTable() table {
	text := &bytes.Buffer{}
	out := tabwriter.NewWriter(text, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "package\t%s (p90)\n", strings.Join(columnNames, "\t"))
	return table{text, out}
}

func (tb table) row(dir string, results map[string]result, pending []string) {
	fmt.Fprint(tb.out, dir)
	for _, name := range columnNames {
		mark := ""
		if slices.Contains(pending, dir+" "+name) {
			mark = "*"
		}
		fmt.Fprint(tb.out, "\t", results[name].value, mark)
	}
	fmt.Fprintln(tb.out)
}

func (tb table) String() string {
	_ = tb.out.Flush()
	return tb.text.String()
}
