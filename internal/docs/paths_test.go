package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

// TestCheckPaths_FindsTheRecipesFiles fails when a recipe of CONTRIBUTING.md names a file that was
// moved.
func TestCheckPaths_FindsTheRecipesFiles(t *testing.T) {
	t.Parallel()
	if err := docs.CheckPaths("../..", "CONTRIBUTING.md"); err != nil {
		t.Error(err)
	}
}

func TestCheckPaths_NamesMissingFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "internal"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "`internal` `internal/` `room.Topic` `go test ./gone/x` `GET /gone` `p#gone/x`\n" +
		"`internal/gone.go` and `gone.md`\n```text\n`internal/gone2.go`\n```\n`./gone/folder`\n"
	if err := os.WriteFile(filepath.Join(root, "a.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	err := docs.CheckPaths(root, "a.md")
	want := "a.md:2: internal/gone.go does not exist\na.md:2: gone.md does not exist\na.md:6: gone/folder does not exist"
	if err == nil || err.Error() != want {
		t.Errorf("CheckPaths = %v, want %s", err, strings.ReplaceAll(want, "\n", "; "))
	}
}
