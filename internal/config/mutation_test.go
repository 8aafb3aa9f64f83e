package config_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// replacement changes one line of one file.
type replacement struct{ file, from, to string }

var (
	twoDays = replacement{"internal/chat/limits.go", "MaxAge = 24 * time.Hour", "MaxAge = 48 * time.Hour"}
	// restated is the margin as a literal, as package shard once had it.
	restated = replacement{"internal/dynamo/epochs.go", "MaxSendDelay: chat.MaxAge", "MaxSendDelay: 24 * 60 * 60 * 1e9"}
)

// TestMutations changes each fact in the one place that states it, and runs a test that depends on
// it. The change takes effect everywhere, or the test fails and names the disagreement.
func TestMutations(t *testing.T) {
	t.Parallel()
	const margins, documents = "TestMessages_FindsMessagesAtTheMargins", "TestOpenAPI_StatesTheBoundsOfAMessagesTime"
	const headers, template, segment = "TestAllowedHeaders_AreInTheTemplateWithTheOtherRulesOfCORS", "TestStreamBatch_IsInTheTemplate", "TestStreamBatch_FitsASegment"
	const cors, batch = "internal/config/cors.go", "internal/config/batches.go"
	for name, c := range map[string]struct {
		changes   []replacement
		pkg, test string
		says      string // the output of the failing test; "" if the change takes effect
	}{
		"messages of two days are found":       {[]replacement{twoDays}, "dynamo", margins, ""},
		"a margin stated again":                {[]replacement{twoDays, restated}, "dynamo", margins, "shrunk shows 0 messages"},
		"documents that still say a day":       {[]replacement{twoDays}, "httpapi", documents, `problems.md does not say "48 hours old"`},
		"another header that pages may send":   {[]replacement{{cors, `"if-match"`, `"if-match", "x-more"`}}, "config", headers, `want ["authorization" "content-type" "if-match" "x-more"]`},
		"one header fewer that pages may read": {[]replacement{{cors, `"etag", `, ``}}, "config", headers, "exposes the headers"},
		"smaller batches, in the template":     {[]replacement{{batch, "StreamBatch = 1000", "StreamBatch = 500"}}, "config", template, "has batches of 1000, want 500"},
		"batches smaller than a segment":       {[]replacement{{batch, "StreamBatch = 1000", "StreamBatch = 500"}}, "config", segment, "a batch has 500 records"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"test", "-vet=off", "-overlay", overlay(t, c.changes), "-run", "^" + c.test + "$", "-v", "./internal/" + c.pkg}
			cmd := exec.CommandContext(t.Context(), "go", args...)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			text := string(out)
			if !strings.Contains(text, "=== RUN   "+c.test) {
				t.Fatalf("%s did not run: %v\n%s", c.test, err, text)
			}
			if (err != nil) != (c.says != "") || !strings.Contains(text, c.says) {
				t.Errorf("%v, want it to say %q:\n%s", err, c.says, text)
			}
		})
	}
}

// overlay writes changed copies of files, and a list for the go command's -overlay flag. It returns
// the list's path.
func overlay(t *testing.T, changes []replacement) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for _, c := range changes {
		path, err := filepath.Abs(filepath.Join(root, c.file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(text), c.from) != 1 {
			t.Fatalf("%s does not hold %q once", c.file, c.from)
		}
		replace[path] = filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(replace[path], []byte(strings.Replace(string(text), c.from, c.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
