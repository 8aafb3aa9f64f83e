package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/docs"
)

// TestBlock_PagesAreShownInABrowser looks for the test of each page. A test names a page by its
// file and its info string.
func TestBlock_PagesAreShownInABrowser(t *testing.T) {
	t.Parallel()
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../web/test/*.test.mjs")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	pages := 0
	for _, b := range blocks {
		if b.Kind != docs.HTML {
			continue
		}
		pages++
		if call := `page("` + b.File + `", "` + b.Name + `")`; !strings.Contains(tests.String(), call) {
			t.Errorf("%s: no test of web/test contains %s", b, call)
		}
	}
	if pages == 0 {
		t.Error("no page was found: README.md has one")
	}
}
