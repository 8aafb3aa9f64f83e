//go:build extra

package main

import (
	"os"
	"os/exec"
	"testing"
)

// TestServe_GeneratedClients runs the script of each generated client against a separate server.
// scripts/clients generates and compiles them first.
func TestServe_GeneratedClients(t *testing.T) {
	for name, program := range map[string][]string{
		"openapi-fetch": {"node", "../../tools/clients/build/fetch.js"},
		"developer":     {"node", "../../tools/clients/build/developer.js"},
		"hey-api":       {"node", "../../tools/clients/build/hey.js"},
		"oapi-codegen":  {"../../bin/goclient"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := dataDir(t)
			s := serve(t, dir)
			cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
			cmd.Env = append(os.Environ(), "PARLEY_URL="+s.url, "PARLEY_TOKEN="+tokenOf(t, dir, "amsg"),
				"PARLEY_TOKEN_BOB="+tokenOf(t, dir, "bob"), "PARLEY_TOKEN_CAROL="+tokenOf(t, dir, "carol"),
				"PARLEY_TOKEN_SERVICE="+tokenOf(t, dir, "app", "--service"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
