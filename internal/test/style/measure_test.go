package style

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWidth      = 100 // columns of a comment line
	tabWidth      = 4
	maxWidePart   = 0.01 // of the comment lines of a package
	minNamedTests = 0.6  // of the tests of a package
	maxFunction   = 60   // lines, of any function
	p90Function   = 30   // lines
	p90File       = 200  // lines
)

// The measures, by the names that pending.txt uses.
const (
	phrases    = "phrases"
	openings   = "openings"
	predicates = "predicates"
	width      = "width"
	tests      = "tests"
	functions  = "functions"
)

var (
	quaint  = regexp.MustCompile(`(?i)\b(whoever|what\s+is|tells\s+whether|says\s+whether)\b`)
	opening = regexp.MustCompile(`^\s*(Whoever|What|Of|Where|There)\b`)
	reports = regexp.MustCompile(`\breports\s+whether\b`)
)

// source is one parsed file.
type source struct {
	path  string // relative to the module's root
	text  string
	file  *ast.File
	set   *token.FileSet
	test  bool // the name ends in _test.go
	lines int
}

// at returns a position as path:line.
func (s source) at(pos token.Pos) string {
	return fmt.Sprintf("%s:%d", s.path, s.set.Position(pos).Line)
}

// badPhrases returns the comments that hold a phrase which reads as translated.
func badPhrases(s source) []string {
	var found []string
	for _, group := range s.file.Comments {
		text := group.Text()
		for _, at := range quaint.FindAllStringIndex(text, -1) {
			line := s.set.Position(group.Pos()).Line + strings.Count(text[:at[0]], "\n")
			found = append(found, fmt.Sprintf("%s:%d: %q", s.path, line, text[at[0]:at[1]]))
		}
	}
	return found
}

// badOpenings returns the comments that begin with a word which hides the subject.
func badOpenings(s source) []string {
	var found []string
	for _, group := range s.file.Comments {
		if word := opening.FindString(group.Text()); word != "" {
			found = append(found, fmt.Sprintf("%s: begins with %q", s.at(group.Pos()), word))
		}
	}
	return found
}

// badPredicates returns the documented functions and methods of one bool result whose comment does
// not say "reports whether".
func badPredicates(s source) []string {
	var found []string
	check := func(name *ast.Ident, doc *ast.CommentGroup, f *ast.FuncType) {
		if doc != nil && isPredicate(f) && !reports.MatchString(doc.Text()) {
			found = append(found, fmt.Sprintf("%s: %s does not say \"reports whether\"", s.at(name.Pos()), name.Name))
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			check(n.Name, n.Doc, n.Type)
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				if f, ok := m.Type.(*ast.FuncType); ok && len(m.Names) == 1 {
					check(m.Names[0], m.Doc, f)
				}
			}
		}
		return true
	})
	return found
}

// isPredicate reports whether a function returns exactly one bool.
func isPredicate(f *ast.FuncType) bool {
	if f.Results == nil || f.Results.NumFields() != 1 {
		return false
	}
	result, ok := f.Results.List[0].Type.(*ast.Ident)
	return ok && result.Name == "bool"
}

// wideLines returns the lines that are comments alone and wider than maxWidth, and the number of
// all lines of comments. Directives do not count.
func wideLines(s source) (wide []string, all int) {
	lines := strings.Split(s.text, "\n")
	for _, group := range s.file.Comments {
		for _, comment := range group.List {
			first := s.set.Position(comment.Pos()).Line
			for i := range strings.Split(comment.Text, "\n") {
				line := lines[first+i-1]
				if i == 0 && !strings.HasPrefix(strings.TrimSpace(line), "/") || isDirective(comment.Text) {
					continue
				}
				all++
				if n := columns(line); n > maxWidth {
					wide = append(wide, fmt.Sprintf("%s:%d: %d columns", s.path, first+i, n))
				}
			}
		}
	}
	return wide, all
}

// isDirective reports whether a comment is for a tool, such as //go:build.
func isDirective(comment string) bool {
	text, ok := strings.CutPrefix(comment, "//")
	return ok && text != "" && unicode.IsLower(rune(text[0])) && strings.Contains(text, ":")
}

func columns(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabWidth-1)
}

// function is a declared function and its length in lines, both braces' lines included.
type function struct {
	at, name string
	lines    int
}

func functionsOf(s source) []function {
	var all []function
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
			lines := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
			all = append(all, function{s.at(f.Pos()), f.Name.Name, lines})
		}
	}
	return all
}

// p90 returns the smallest value that nine tenths of the values do not exceed.
func p90(values []int) int {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)*9+9)/10-1]
}
