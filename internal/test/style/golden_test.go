package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// minWriters is the number of tests that write golden files. Fewer were not found.
const minWriters = 12

// TestGolden_RunsEveryWriter compares the list of make golden with the functions that use *update, in
// the packages with that flag. A writer that is not in the list would leave its file stale.
func TestGolden_RunsEveryWriter(t *testing.T) {
	command := exec.CommandContext(t.Context(), filepath.Join(root, "scripts", "golden"), "--list")
	command.Stderr = os.Stderr
	listed, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	writers := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/")
		for _, name := range writersIn(t, path) {
			writers++
			if line := "./" + folder + " " + name; !strings.HasPrefix(name, "Test") || !strings.Contains(string(listed), line+"\n") {
				t.Errorf("scripts/golden does not run %s: *update belongs in a test that the list of scripts/golden --list has", line)
			}
		}
		return nil
	})
	if err != nil || writers < minWriters {
		t.Errorf("%d writers were found, %v", writers, err)
	}
}

// writersIn returns the functions of a file that use *update by itself. A field of it is a request's.
func writersIn(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if star, ok := n.(*ast.StarExpr); ok {
				if flag, ok := star.X.(*ast.Ident); ok && flag.Name == "update" {
					names = append(names, f.Name.Name)
					return false
				}
			}
			return true
		})
	}
	return names
}
