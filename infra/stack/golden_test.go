package stack_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// assetHash matches the part that differs with every build of a function.
var assetHash = regexp.MustCompile(`[0-9a-f]{64}`)

// TestNew_MatchesTheGoldenTemplates shows the effect of a change on the stack as a diff. Write the
// files with -update, and review them.
func TestNew_MatchesTheGoldenTemplates(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(d.template); err != nil {
			t.Fatal(err)
		}
		got := assetHash.ReplaceAllString(b.String(), "<asset hash>")
		file := filepath.Join("testdata", filepath.Base(t.Name())+".golden.json")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs; make templates writes it:\n%s", file, diff)
		}
	})
}
