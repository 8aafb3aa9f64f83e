package file_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/parley/internal/local/file"
)

func TestWrite_ReplacesAllOrNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, content := range []string{"first", "second"} {
		if err := file.Write(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := file.Write(dir+"/none/f", nil); err == nil {
		t.Error("a file was written where there is no folder")
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := file.Write(filepath.Join(dir, "taken"), nil); err == nil {
		t.Error("a file has replaced a folder")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
