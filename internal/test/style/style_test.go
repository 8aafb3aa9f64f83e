// Package style holds one test: the phrases and the width of comments, and the length of files.
// golangci-lint checks the length of functions.
package style

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	root     = "../../.."
	maxFile  = 385 // lines of a file that is not a test: a quarter above the longest
	maxWidth = 100 // columns of a comment, with tabs of tabWidth
	maxCode  = 120 // columns of a line of code
	tabWidth = 4
	minFiles = 450 // fewer were not read
)

// phrases read as translated. The second ones hide the subject of a comment.
var phrases = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(whoever|what is|tells whether|says whether|heedless|as it stands)\b`),
	regexp.MustCompile(`^(Whoever|What|Of|Where|There|Nor)\b`),
}

// elsewhere are folders that hold none of the module's code.
var elsewhere = []string{"node_modules", "testdata", "tools", "cdk.out", "bin"}

func TestStyle(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(elsewhere, d.Name())):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			files++
			text, err := os.ReadFile(path)
			all := findings(string(text))
			if !strings.Contains(filepath.ToSlash(path), "internal/test/") && !strings.Contains(string(text), "// Code generated") {
				all = append(all, wideCode(string(text))...)
			}
			for _, f := range all {
				t.Errorf("%s: %s", filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))), f)
			}
			return err
		}
		return nil
	})
	if err != nil || files < minFiles {
		t.Fatalf("%d files were read, %v", files, err)
	}
}

// TestStyle_ContributingStatesTheLimit compares the length with the guide's.
func TestStyle_ContributingStatesTheLimit(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if want := fmt.Sprintf("Files stay within %d lines", maxFile); err != nil || !strings.Contains(string(text), want) {
		t.Errorf("CONTRIBUTING.md does not state %q: %v", want, err)
	}
}

func TestFindings(t *testing.T) {
	for text, want := range map[string]int{
		"// What it does.\n":                     1,
		"// open waits. What\n// it does.\n":     0,
		"\t// tell whoever\n\t// asks.\n":        1,
		"// this is what\n// is wrong.\n":        1,
		"//" + strings.Repeat("x", maxWidth-2):   0,
		"\t//" + strings.Repeat("x", maxWidth-5): 1,
		"code(\"what is\") // whoever\n":         0,
		strings.Repeat("\n", maxFile+1):          1,
	} {
		if got := findings(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

func TestWideCode(t *testing.T) {
	long := strings.Repeat("x", maxCode-10)
	for text, want := range map[string]int{
		"var a = " + long + "\n":                              0,
		"var a = \"" + long + "x\"\n":                         1,
		"\tvar a = " + long + "\n":                            1,
		"var a = `" + long + "\n" + long + long + "\n`\n":     0,
		"var a = 1 //nolint:gosec // " + long + "\n":          0,
		"var a = 1 // " + long + "\n":                         1,
		"var a = \"" + strings.Repeat("€", maxCode-10) + "\"": 0,
	} {
		if got := wideCode(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

// wideCode returns the lines of code that are too wide. Raw strings, such as the tags of a struct's
// fields, cannot be broken, and directives must stand on the line of their subject.
func wideCode(text string) (all []string) {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, []byte(text), nil, 0)
	raw := map[int]bool{} // lines, from 1
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.STRING && lit[0] == '`' {
			for n := range strings.Count(lit, "\n") + 1 {
				raw[file.Line(pos)+n] = true
			}
		}
	}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, " //nolint:")
		if !raw[i+1] && width(line) > maxCode && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			all = append(all, "code too wide: "+line)
		}
	}
	return all
}

// width returns the columns of a line.
func width(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabWidth-1)
}

// findings returns the faults of a file: phrases and widths of comments on lines of their own, and
// its length.
func findings(text string) (all []string) {
	lines := strings.Split(text, "\n")
	if len(lines)-1 > maxFile {
		all = append(all, "is too long")
	}
	for i := 0; i < len(lines); i++ {
		var comment []string
		for ; i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), "//"); i++ {
			if width(lines[i]) > maxWidth && !strings.HasPrefix(lines[i], "//go:") && !strings.Contains(lines[i], "//\t") {
				all = append(all, "too wide: "+lines[i])
			}
			comment = append(comment, strings.TrimPrefix(strings.TrimSpace(lines[i]), "//"))
		}
		for _, p := range phrases {
			if found := p.FindString(strings.Join(strings.Fields(strings.Join(comment, " ")), " ")); found != "" {
				all = append(all, "write plainly: "+found)
			}
		}
	}
	return all
}
