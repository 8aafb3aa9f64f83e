package engine

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEngine_LockFilesHaveHashes makes sure that npm ci checks everything it installs.
func TestEngine_LockFilesHaveHashes(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../../package-lock.json", "../../../web/package-lock.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var lock struct {
			Packages map[string]struct{ Integrity string }
		}
		if err := json.Unmarshal(text, &lock); err != nil || len(lock.Packages) < 2 {
			t.Fatalf("%s: %d packages, %v", file, len(lock.Packages), err)
		}
		for place, p := range lock.Packages {
			if place != "" && !strings.HasPrefix(p.Integrity, "sha512-") {
				t.Errorf("%s: %s has the hash %q", file, place, p.Integrity)
			}
		}
	}
}

// TestEngine_InstallsOnlyWhatHasItsHash runs scripts/engine in another folder, with an npm that
// packs a known package.
func TestEngine_InstallsOnlyWhatHasItsHash(t *testing.T) {
	t.Parallel()
	pack := filepath.Join(t.TempDir(), "engine.tgz")
	const packed = `mkdir package && echo a program >package/dynoxide && tar -czf "$1" package`
	build := exec.CommandContext(t.Context(), "bash", "-euc", packed, "bash", pack)
	build.Dir = t.TempDir()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(text)
	hash, other := "sha512-"+base64.StdEncoding.EncodeToString(sum[:]), "sha512-"+strings.Repeat("A", 86)+"=="
	for _, tt := range []struct{ name, stated, sums, want string }{
		{"no hash", "", "", "is not known"},
		{"the hash of another version", "", "@dynoxide/darwin-arm64@9.9.8 " + hash, "is not known"},
		{"a weak hash", "sha1-" + hash[7:], "", "is not known"},
		{"another hash", other, "", "instead of"},
		{"its hash in the file", "", "@dynoxide/darwin-arm64@9.9.9 " + hash, ""},
		{"its hash in the environment", hash, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			installed, script := filepath.Join(dir, "node_modules/@dynoxide/darwin-arm64/dynoxide"), filepath.Join(dir, "scripts/engine")
			for name, text := range map[string]string{
				"tools/engine.sums": tt.sums + "\n", "bin/npm": "#!/bin/sh\ncp " + pack + " \"$4\"\n",
				"package.json": `{"optionalDependencies":{"@dynoxide/linux-x64":"9.9.9"}}`,
			} {
				write(t, filepath.Join(dir, name), text)
			}
			own, err := os.ReadFile("../../../scripts/engine")
			if err != nil {
				t.Fatal(err)
			}
			write(t, script, string(own))
			cmd := exec.CommandContext(t.Context(), script, "darwin-arm64")
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "ENGINE_INTEGRITY="+tt.stated)
			said, err := cmd.CombinedOutput()
			_, missing := os.Stat(installed)
			if (err == nil) != (tt.want == "") || (missing == nil) != (tt.want == "") || !strings.Contains(string(said), tt.want) {
				t.Errorf("%v, %v; want %q\n%s", err, missing, tt.want, said)
			}
		})
	}
}

// write writes an executable file and its folder.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}
