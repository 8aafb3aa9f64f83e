package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

func TestCheckTestNames_FindsEveryTest(t *testing.T) {
	t.Parallel()
	if err := docs.CheckTestNames("../.."); err != nil {
		t.Error(err)
	}
}

func TestCheckTestNames_NamesMissingTests(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "# A\n\n`TestRoom_Opens` and `TestRoom_Gone`.\n", "docs/a.md": "# B\n\n`TestGone`, not `Testing`.\n",
		"a/a_test.go": "package a\n\nfunc TestRoom_Opens(t *testing.T) {}\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := docs.CheckTestNames(root)
	if err == nil {
		t.Fatal("CheckTestNames found nothing")
	}
	got := strings.Split(err.Error(), "\n")
	if want := []string{"README.md:3: there is no test TestRoom_Gone", "docs/a.md:3: there is no test TestGone"}; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("CheckTestNames = %q, want %q", got, want)
	}
}
