package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages_FailsWithItsBlocks runs pages with one defect each.
func TestPages_FailsWithItsBlocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, page, want string }{
		{"a command that fails", "# A\n```sh\ntrue\nfalse\n```\n", "README.md:4: status 1"},
		{"a command of a guide", "```sh\ntrue\n```\n", "docs/a.md:3: status 7"},
		{"a server that ends", "```sh serve\ntrue\n```\n", "it ended before the server was ready"},
		{"the second server ends", "```sh serve\necho ready http://a; sleep 60\n```\n```sh serve\nsleep 0.2\n```\n", "README.md:4 failed: status 1"},
		{
			"a server that ends later",
			"```sh serve\necho ready http://here; until [ -f end ]; do sleep 0.05; done; rm end\n```\n" +
				"```sh\ntouch end; while [ -f end ]; do sleep 0.05; done; sleep 0.5\n```\n",
			"the server ended by itself",
		},
		{"a command that CI does not run", "```sh ci\nmake test   # all\nmake tes\n```\n", `.ci/run does not run make tes`},
		{"a block that is not marked", "```\ntrue\n```\n", "README.md:1: the block's fence has no info string"},
		{"an answer that is missing", "```sh\necho hello\n```\n", `README.md: the answers do not contain "name":"Seattle"`},
		{"a function that fails", "```sh\necho '\"name\":\"Seattle\" \"room\":\"seattle\" \"text\":\"hello\" \"items\":[ {\"level\":\"ERROR\"}'\n```\n", `"level":"ERROR" is printed 1 times, not 0`},
		{"a refusal", "```sh\necho /problems/conflict\n```\n", "README.md: a command was refused"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := &runner{dir: filepath.Join(t.TempDir(), "parley"), env: environment(), out: t.Output()}
			for name, text := range map[string]string{
				"README.md": tt.page, "docs/a.md": "# B\n```sh\n(exit 7)\n```\n```sh aws a\nnowhere\n```\n", ".ci/run": "test 5 make -k test web\n",
			} {
				file := filepath.Join(r.dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.pages(t.Context(), nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("pages = %v, want an error with %q", err, tt.want)
			}
		})
	}
}
