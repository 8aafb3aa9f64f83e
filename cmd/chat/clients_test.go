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

// TestServe_GeneratedClients runs the script of each generated client against a separate server,
// whose answers a proxy alters. scripts/clients generates and compiles them first, all at night.
func TestServe_GeneratedClients(t *testing.T) {
	build := absolute(t, "../../tools/clients/build")
	scripts := absolute(t, "../../tools/clients/python")
	python := absolute(t, "../../tools/python/.venv/clients/bin/python")
	for name, program := range map[string][]string{
		"openapi-fetch":            {"node", build + "/fetch.js"},
		"developer":                {"node", build + "/developer.js"},
		"hey-api":                  {"node", build + "/hey.js"},
		"oapi-codegen":             {"../../bin/goclient"},
		"openapi-generator-go":     {"../../bin/openapi-go"},
		"openapi-generator-java":   {"java", "-cp", build + "/classes:" + build + "/jars/*", "Survive"},
		"openapi-generator-python": {"env", "PYTHONPATH=" + build + "/pydantic", python, scripts + "/survive_pydantic.py"},
		"openapi-python-client":    {"env", "PYTHONPATH=" + build + "/attrs", python, scripts + "/survive_attrs.py"},
	} {
		if name != "oapi-codegen" && !nightly.Enabled() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			s := serve(t, dir)
			amsg, bob := tokenOf(t, dir, "amsg"), tokenOf(t, dir, "bob")
			url := s.url
			if name != "developer" { // who counts what there is
				everything(t, s.url, amsg, bob)
				url = altered(t, s.url)
			}
			cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
			cmd.Env = append(os.Environ(), "PARLEY_URL="+url, "PARLEY_TOKEN="+amsg,
				"PARLEY_TOKEN_BOB="+bob, "PARLEY_TOKEN_CAROL="+tokenOf(t, dir, "carol"),
				"PARLEY_TOKEN_SERVICE="+tokenOf(t, dir, "app", "--service"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

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
