//go:build extra

package main

import (
	"os"
	"os/exec"
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
				url = wire(t, s.url)
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
