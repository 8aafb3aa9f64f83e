package docs_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLockFiles_HaveAHashOfEachPackage makes sure that npm ci checks everything it installs.
func TestLockFiles_HaveAHashOfEachPackage(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../package-lock.json", "../../web/package-lock.json"} {
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
	pack, hash := enginePack(t)
	other := sha512.Sum512([]byte("another"))
	for _, tt := range []struct{ name, platform, stated, sums, want string }{
		{"no hash, Linux on ARM", "linux-arm64", "", "", "is not known"},
		{"no hash, macOS", "darwin-arm64", "", "", "is not known"},
		{"no hash, macOS on x86-64", "darwin-x64", "", "", "is not known"},
		{"no hash, Windows", "win32-x64", "", "", "is not known"},
		{"the hash of another version", "darwin-arm64", "", "@dynoxide/darwin-arm64@9.9.8 " + hash, "is not known"},
		{"a weak hash", "darwin-arm64", "sha1-" + hash[7:], "", "is not known"},
		{"another hash", "darwin-arm64", "sha512-" + base64.StdEncoding.EncodeToString(other[:]), "", "instead of"},
		{"its hash in the file", "darwin-arm64", "", "@dynoxide/darwin-arm64@9.9.9 " + hash, ""},
		{"its hash in the environment", "win32-x64", hash, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := engineFolder(t, tt.sums, pack)
			cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "scripts", "engine"), tt.platform)
			cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "ENGINE_INTEGRITY="+tt.stated)
			said, err := cmd.CombinedOutput()
			_, missing := os.Stat(filepath.Join(dir, "node_modules", "@dynoxide", tt.platform, "dynoxide"))
			if tt.want == "" && (err != nil || missing != nil) {
				t.Errorf("it is not installed: %v, %v\n%s", err, missing, said)
			}
			if tt.want != "" && (err == nil || missing == nil || !strings.Contains(string(said), tt.want)) {
				t.Errorf("it does not fail with %q: %v\n%s", tt.want, err, said)
			}
		})
	}
}

// enginePack returns a package with a program, and its hash in the form of npm.
func enginePack(t *testing.T) (pack []byte, hash string) {
	t.Helper()
	var file bytes.Buffer
	zipped := gzip.NewWriter(&file)
	archive := tar.NewWriter(zipped)
	const program = "a program"
	err := archive.WriteHeader(&tar.Header{Name: "package/dynoxide", Mode: 0o755, Size: int64(len(program))})
	if err == nil {
		_, err = archive.Write([]byte(program))
	}
	if err := errors.Join(err, archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(file.Bytes())
	return file.Bytes(), "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
}

// engineFolder returns a folder with scripts/engine and what it reads.
func engineFolder(t *testing.T, sums string, pack []byte) string {
	t.Helper()
	script, err := os.ReadFile("../../scripts/engine")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"scripts/engine": string(script), "tools/engine.sums": sums + "\n", "engine.tgz": string(pack),
		"package.json": `{"optionalDependencies":{"@dynoxide/linux-x64":"9.9.9"}}`,
		"bin/npm":      "#!/bin/sh\ncp " + filepath.Join(dir, "engine.tgz") + " \"$4\"\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
