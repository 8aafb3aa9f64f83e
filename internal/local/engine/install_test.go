package engine

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEngine_LockFilesHaveHashes makes sure that npm ci checks everything it installs, and that chat
// installs the engine that npm does.
func TestEngine_LockFilesHaveHashes(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../../package-lock.json", "../../../web/package-lock.json"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var lock struct {
			Packages map[string]struct{ Version, Integrity string }
		}
		if err := json.Unmarshal(text, &lock); err != nil || len(lock.Packages) < 2 {
			t.Fatalf("%s: %d packages, %v", file, len(lock.Packages), err)
		}
		for place, p := range lock.Packages {
			if place != "" && !strings.HasPrefix(p.Integrity, "sha512-") {
				t.Errorf("%s: %s has the hash %q", file, place, p.Integrity)
			}
			if place == "node_modules/@dynoxide/linux-x64" && (p.Version != Version || p.Integrity != pinned) {
				t.Errorf("npm installs the engine %s with the hash %s, chat %s with %s", p.Version, p.Integrity, Version, pinned)
			}
		}
	}
}

// TestVersion_IsInTheGuide compares the versions in docs/install.md with those that are installed.
func TestVersion_IsInTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(guide)), " ")
	for _, want := range []string{"Dynoxide " + Version, crateVersion + " of the crate `" + crate + "`", "Crate " + crateVersion} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/install.md does not say %q", want)
		}
	}
}

// TestPackage_InstallsOnlyWhatHasItsHash fetches a known package from registries of all kinds.
func TestPackage_InstallsOnlyWhatHasItsHash(t *testing.T) {
	t.Parallel()
	packed := pack(t, "package/bin/dynoxide", "a program")
	hash, other := hashOf(packed), hashOf(nil)
	for _, tt := range []struct{ name, platform, said, stated, want string }{
		{"the registry's hash", "darwin-arm64", hash, "", ""},
		{"another hash of the registry", "darwin-arm64", other, "", "instead of"},
		{"a weak hash", "darwin-arm64", "sha1-" + hash[7:], "", "not SHA-512"},
		{"no hash", "darwin-arm64", "", "", "not SHA-512"},
		{"the stated hash", "darwin-arm64", other, hash, ""},
		{"another stated hash", "darwin-arm64", hash, other, "instead of"},
		{"a weak stated hash", "darwin-arm64", hash, "sha1-x", "not SHA-512"},
		{"a registry that replaced the pinned package", "linux-x64", hash, "", "instead of " + pinned},
		{"no package", "linux-arm64", hash, "", "404 Not Found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			from := registryOf(t, packed, map[string]string{"darwin-arm64": tt.said, "linux-x64": tt.said})
			dir := filepath.Join(t.TempDir(), "installed")
			env := func(name string) string { return map[string]string{registryVar: from, integrityVar: tt.stated}[name] }
			program, err := Package{Platform: tt.platform, Env: env}.Install(t.Context(), dir)
			files, _ := os.ReadDir(dir)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) || len(files) > 0 {
					t.Errorf("Install = %v with %d files; want %q and none", err, len(files), tt.want)
				}
				return
			}
			text, readErr := os.ReadFile(program)
			info, statErr := os.Stat(program)
			if err != nil || readErr != nil || string(text) != "a program" || statErr != nil || info.Mode().Perm()&0o111 == 0 || len(files) != 1 {
				t.Errorf("Install = %s with %q, %v, %v, %v, of %d files", program, text, err, readErr, statErr, len(files))
			}
		})
	}
}

// TestPackage_AsksNpmForItsRegistry installs from the registry that npm names, if no other is stated.
func TestPackage_AsksNpmForItsRegistry(t *testing.T) {
	packed := pack(t, "package/bin/dynoxide", "a program")
	p := Package{Platform: "darwin-arm64", Env: func(string) string { return "" }}
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	if _, err := p.Install(t.Context(), t.TempDir()); !errors.Is(err, errNoPackage) || !strings.Contains(err.Error(), "install npm or set $"+registryVar) {
		t.Errorf("without npm: %v", err)
	}
	from := registryOf(t, packed, map[string]string{"darwin-arm64": hashOf(packed)})
	write(t, filepath.Join(bin, "npm"), "#!/bin/sh\n[ \"$*\" = 'config get registry' ] && echo "+from+"/\n")
	if _, err := p.Install(t.Context(), t.TempDir()); err != nil {
		t.Error(err)
	}
}

// TestEnsure_InstallsOnce asks twice on a machine without an engine, and has cargo build one where
// there is no package.
func TestEnsure_InstallsOnce(t *testing.T) {
	packed := pack(t, "package/"+programFile(), "a program")
	here := map[string]string{platform(): hashOf(packed)}
	const builds = "#!/bin/sh\necho \"$@\"\nfor root; do :; done\nmkdir -p \"$root/bin\"\nprintf 'built' >\"$root/bin/dynoxide\"\nchmod +x \"$root/bin/dynoxide\"\n"
	const command = "install dynoxide-rs --version " + crateVersion + " --locked --root "
	for _, tt := range []struct {
		name, cargo, stated string
		packages            map[string]string
		program, said, err  string
	}{
		{"a package", "", hashOf(packed), here, "a program", "fetching the local engine @dynoxide/" + platform() + "@" + Version, ""},
		{"a wrong package", builds, hashOf(nil), here, "", "fetching", "instead of"},
		{"no package, and cargo", builds, "", nil, "built", command, ""},
		{"no package, and a cargo that fails", "#!/bin/sh\nexit 3\n", "", nil, "", "building", "exit status 3"},
		{"no package, and a stated hash", builds, hashOf(packed), nil, "", "fetching", integrityVar},
		{"no package and no cargo", "", "", nil, "", "fetching", "Install Rust"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir) // away from node_modules
			t.Setenv("HOME", dir)
			t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
			bin := filepath.Join(dir, "bin")
			if tt.cargo != "" {
				write(t, filepath.Join(bin, "cargo"), tt.cargo)
				bin += ":/usr/bin:/bin"
			}
			t.Setenv("PATH", bin)
			from := registryOf(t, packed, tt.packages)
			env := func(name string) string {
				return map[string]string{registryVar: from + "/", integrityVar: tt.stated, "PATH": os.Getenv("PATH")}[name]
			}
			var out bytes.Buffer
			program, err := Ensure(t.Context(), env, &out)
			if !strings.Contains(out.String(), tt.said) {
				t.Errorf("it writes %q, want %q", out.String(), tt.said)
			}
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("Ensure = %s, %v; want %q", program, err, tt.err)
				}
				return
			}
			text, readErr := os.ReadFile(program)
			if err != nil || readErr != nil || string(text) != tt.program {
				t.Errorf("Ensure = %s with %q, %v, %v; want %q", program, text, err, readErr, tt.program)
			}
			out.Reset()
			from = "http://127.0.0.1:1" // asks nobody
			if again, err := Ensure(t.Context(), env, &out); err != nil || again != program || out.Len() > 0 {
				t.Errorf("then Ensure = %s, %v and writes %q; want %s in silence", again, err, &out, program)
			}
		})
	}
}

func TestEnsure_LeavesARunningEngineAlone(t *testing.T) {
	t.Parallel()
	env := func(name string) string { return map[string]string{endpointVar: "http://127.0.0.1:1"}[name] }
	if program, err := Ensure(t.Context(), env, t.Output()); program != "" || err != nil {
		t.Errorf("Ensure = %s, %v; want nothing", program, err)
	}
}

// registryOf serves an npm registry that has one package under the names of platforms, with the
// integrity that it claims for each, and returns its address.
func registryOf(t *testing.T, packed []byte, integrities map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("GET /engine.tgz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(packed) })
	for platform, integrity := range integrities {
		mux.HandleFunc("GET /@dynoxide%2F"+platform, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"versions":{"0.0.1":{},%q:{"dist":{"integrity":%q,"tarball":%q}}}}`, Version, integrity, s.URL+"/engine.tgz")
		})
	}
	return s.URL
}

// pack returns an npm package with one file.
func pack(t *testing.T, name, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	files := tar.NewWriter(zipped)
	if err := files.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func hashOf(packed []byte) string {
	sum := sha512.Sum512(packed)
	return "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
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
