package style

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const minScripts = 200 // fewer were not read

// lone is a line that holds nothing but a string, a template or a regular expression, and the name of
// its property, attribute or variable. Such a literal cannot be broken, or is read worse in parts.
var lone = regexp.MustCompile("^\\s*(?:\\w+(?:: |=))?(?:\"[^\"]*\"|`[^`]*`|/\\S.*/[a-z]*)[,;]?$")

// TestStyle_ScriptsAreNotTooWide checks the TypeScript of the app, the client and its hooks. Tests and
// generated files may be wider.
func TestStyle_ScriptsAreNotTooWide(t *testing.T) {
	files := 0
	for _, folder := range []string{"app", "client", "react"} {
		err := filepath.WalkDir(filepath.Join(root, "web", folder), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"dist", "node_modules", "test"}, d.Name()):
				return filepath.SkipDir
			case !strings.HasSuffix(path, ".ts") && !strings.HasSuffix(path, ".tsx") || strings.HasSuffix(path, ".gen.ts"):
				return nil
			}
			files++
			text, err := os.ReadFile(path)
			for _, f := range wideScript(string(text)) {
				t.Errorf("%s: %s", filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))), f)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < minScripts {
		t.Errorf("%d files were read", files)
	}
}

func TestWideScript(t *testing.T) {
	long := strings.Repeat("x", maxCode-10)
	for text, want := range map[string]int{
		"let a = " + long + ";":                               0,
		"let abc = " + long + ";":                             1,
		"\tlet a = " + long + ";":                             1,
		"// " + long + long:                                   1,
		"  people: \"" + long + "\",":                         0,
		"  hint=\"" + long + "\"":                             0,
		"  `" + long + long + "`;":                            0,
		"  /[" + long + long + "]/gu;":                        0,
		"  call(\"" + long + "\");":                           1,
		"  a=\"" + long + "\" b=\"" + long + "\"":             1,
		"  \"" + long + "\" + \"" + long + "\",":              1,
		"let a = \"" + strings.Repeat("€", maxCode-10) + "\"": 0,
	} {
		if got := wideScript(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

// wideScript returns the lines of TypeScript that are too wide, comments included.
func wideScript(text string) (all []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if width(line) > maxCode && !lone.MatchString(line) {
			all = append(all, "code too wide: "+line)
		}
	}
	return all
}
