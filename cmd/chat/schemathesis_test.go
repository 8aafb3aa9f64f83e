//go:build extra

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe_Schemathesis lets schemathesis search for three minutes for responses that the
// document does not allow. It sends the examples, values at their bounds, random and invalid
// requests, and sequences of requests. scripts/python-tools installs it. The last lines of its
// output have the seed, which tools/clients/schemathesis.toml sets.
func TestServe_Schemathesis(t *testing.T) {
	dir := dataDir(t)
	// Requests of one user must not reach the send limit.
	s := serve(t, dir, "--send-rate", "1000000")
	tool := absolute(t, "../../tools/python/.venv/schemathesis/bin/schemathesis")
	config := absolute(t, "../../tools/clients/schemathesis.toml")
	cmd := exec.CommandContext(t.Context(), tool, "--config-file", config, "run", s.url+"/openapi.json", "--no-color")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PARLEY_TOKEN="+tokenOf(t, dir, "amsg"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, phase := range []string{"Examples", "Coverage", "Fuzzing", "Stateful"} {
		if !strings.Contains(string(out), "✅ "+phase) && err == nil {
			t.Errorf("the phase %s did not run:\n%s", phase, out)
		}
	}
	for line := range strings.Lines(s.logs.String()) {
		if strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the server logs %s", line)
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}
