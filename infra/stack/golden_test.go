package stack_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/test/templates"
)

// assetHash matches the part that differs with every build of a function.
var assetHash = regexp.MustCompile(`[0-9a-f]{64}`)

// TestNew_MatchesTheGoldenTemplates shows the effect of a change on the stack as a diff. Dev's file is
// the template, each other file the changes from another variant. Write the files with -update, and
// review them.
func TestNew_MatchesTheGoldenTemplates(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		name := filepath.Base(t.Name())
		got := d.golden(t)
		if base, ok := templates.Bases[name]; ok {
			var err error
			if got, err = templates.Changes(deployments[base].golden(t), got); err != nil {
				t.Fatal(err)
			}
		}
		file := templates.File(root, name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(readText(t, file), got); diff != "" {
			t.Errorf("%s differs; make templates writes it:\n%s", file, diff)
		}
	})
}

// golden returns the template as JSON, without the hashes of assets.
func (d deployment) golden(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d.template); err != nil {
		t.Fatal(err)
	}
	return assetHash.ReplaceAllString(b.String(), "<asset hash>")
}
