//go:build extra

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/parley/internal/test/nightly"
)

// TestServe_SamplesSign signs tokens with the samples of examples/tokens, and sends them to a server
// that has the public key. scripts/clients compiles them first, all at night.
func TestServe_SamplesSign(t *testing.T) {
	build := absolute(t, "../../tools/clients/build")
	app := t.TempDir()
	newKeys(t, app)
	s := serve(t, dataDir(t), "--keys", filepath.Join(app, "public.pem"))
	id, err := command(t, "keys", "id", filepath.Join(app, "public.pem")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for language, program := range map[string][]string{
		"typescript": {"node", build + "/generated/sign.js"},
		"go":         {"../../bin/sign"},
		"python":     {absolute(t, "../../tools/python/.venv/clients/bin/python"), "../../examples/tokens/sign.py"},
		"java":       {"java", "-cp", build + "/classes:" + build + "/jars/*", "Sign"},
	} {
		if language != "go" && !nightly.Enabled() {
			continue
		}
		t.Run(language, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program[0], append(program[1:], language+"-bob", "Bob of "+language)...)
			cmd.Env = append(os.Environ(), "KEY="+filepath.Join(app, "private.pem"), "KEY_ID="+strings.TrimSpace(string(id)))
			cmd.Stderr = os.Stderr
			token, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			text := mustCall(t, 200, "GET", s.url+"/people/me", strings.TrimSpace(string(token)), "")
			if !strings.Contains(text, `"user":"`+language+`-bob"`) || !strings.Contains(text, `"name":"Bob of `+language+`"`) {
				t.Errorf("the person is %s", text)
			}
		})
	}
}
