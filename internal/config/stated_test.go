package config_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/problem"
)

// variable is the name of an environment variable of the functions.
var variable = regexp.MustCompile(`\bPARLEY_[A-Z_]+\b|\bAWS_ENDPOINT_URL_[A-Z_]+\b`)

// ofCommands are variables of the command line. No function reads them. A struct tag names them,
// and a tag cannot use a constant.
var ofCommands = []string{"PARLEY_TOKEN"}

// elsewhere are folders without code of the module.
var elsewhere = []string{"node_modules", "testdata", "tools", "cdk.out", "bin"}

// TestNothingIsStatedAgain looks for literals outside this package that repeat its facts.
func TestNothingIsStatedAgain(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			hidden := strings.HasPrefix(d.Name(), ".") && path != root
			// The requests of tests state what clients send, so they count as tests.
			requests := path == filepath.Join(root, "internal/test/requests")
			if hidden || requests || slices.Contains(elsewhere, d.Name()) || path == filepath.Join(root, "internal/config") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files++
		for _, text := range stated(t, path, nil) {
			t.Errorf("%s states %s again: import internal/config or internal/problem", path, text)
		}
		return nil
	})
	if err != nil || files < 200 {
		t.Errorf("%d files were read, %v", files, err)
	}
}

// stated returns the literals of a file that repeat a fact of this package or of internal/problem.
// src is as in parser.ParseFile.
func stated(t *testing.T, path string, src any) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	headers := append(config.AllowedHeaders(), config.ExposedHeaders()...)
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if n.Kind == token.INT {
				size, err := strconv.ParseInt(n.Value, 0, 64)
				if err == nil && size == config.StreamBatch && takesBatches(path) {
					found = append(found, "the batch of "+n.Value)
				}
				break
			}
			text, err := strconv.Unquote(n.Value)
			if err != nil {
				break
			}
			for _, name := range variable.FindAllString(text, -1) {
				if !slices.Contains(ofCommands, name) {
					found = append(found, name)
				}
			}
			if (strings.Contains(text, problem.Prefix) || text == problem.MediaType) && !strings.Contains(path, "internal/problem/") {
				found = append(found, "a problem")
			}
			if slices.Contains(headers, text) {
				found = append(found, "the header "+text)
			}
		}
		return true
	})
	return found
}

// takesBatches reports whether a file belongs to the stack or to the local stream. Elsewhere the
// number StreamBatch means something else.
func takesBatches(path string) bool {
	dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), root+"/")
	return dir == "infra/stack" || dir == "internal/local/stream"
}

func TestEnvTable_StatedAgainIsFound(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]int{
		`const name = "PARLEY_TABLE"`:                                    1,
		`var env = []string{"PARLEY_TABLE=x", "AWS_ENDPOINT_URL_SQS=y"}`: 2,
		"type c struct { T string `env:\"PARLEY_TABLE\"` }":              1,
		`var headers = []string{"authorization", "if-match"}`:            2,
		`const size = 1000`:                                              1,
		`const size = 1_000`:                                             1,
		"type c struct { T string `env:\"PARLEY_TOKEN\"` }":              0,
		`const size = 100`:                                               0,
		`const body = "{\"type\":\"/problems/stale\"}"`:                  1,
		`var h = r.Header.Get("If-Match")`:                               0,
	} {
		if got := stated(t, root+"/infra/stack/x.go", "package x\n"+src); len(got) != want {
			t.Errorf("%s: found %q, want %d", src, got, want)
		}
	}
	if got := stated(t, root+"/internal/chat/x.go", "package x\nconst most = 1000"); len(got) != 0 {
		t.Errorf("a thousand of something else: found %q", got)
	}
}
