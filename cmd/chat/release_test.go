//go:build extra

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

// TestRelease_RunsInAnEmptyFolder unpacks this platform's archive of scripts/release. It runs it
// without Go, Node, the repository, a registry and a home.
func TestRelease_RunsInAnEmptyFolder(t *testing.T) {
	t.Parallel()
	platform := runtime.GOOS + "-" + strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	archives, err := filepath.Glob("../../dist/parley-" + config.Version + "*-" + platform + ".tar.gz")
	if err != nil || len(archives) != 1 {
		t.Fatalf("archives for %s: %v, %v; want one: make test-release writes it", platform, archives, err)
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = "../../dist"
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), filepath.Base(archives[0])+": OK") {
		t.Errorf("SHA256SUMS: %v\n%s", err, out)
	}
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "tar", "-xzf", archives[0], "-C", dir, "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"dynoxide", "LICENSE", "LICENSES.txt", "parley.service", strings.TrimSuffix(filepath.Base(archives[0]), "-"+platform+".tar.gz") + ".cdx.json"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("the archive has no %s: %v", name, err)
		}
	}
	unpacked := func(cmd *exec.Cmd) {
		cmd.Path, cmd.Dir = filepath.Join(dir, "chat"), dir
		cmd.Env = []string{"PATH=", "HOME=" + filepath.Join(dir, "home"), "npm_config_registry=http://127.0.0.1:1"}
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := command(t, args...)
		unpacked(cmd)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	if got := run("version"); !strings.HasPrefix(got, "parley "+config.Version+" ") || strings.Contains(got, "outside") {
		t.Errorf("chat version prints %q", got)
	}
	data := dataDir(t)
	s := start(t, data, unpacked)
	token := run("token", "--data", data, "--user", "ada")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "")
	mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", token, `{"text":"hello"}`)
	if page := mustCall(t, 200, "GET", s.url+"/", "", ""); !strings.Contains(page, "<script") {
		t.Errorf("the page is %q", page)
	}
	if logs := s.logs.String(); logs != "" {
		t.Errorf("it logs %s", logs)
	}
	if err := s.end(t, os.Interrupt); err != nil {
		t.Error(err)
	}
}
