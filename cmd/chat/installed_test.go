//go:build extra

package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/test/nightly"
)

const installed = "../../tools/clients/installed/"

// TestServe_InstalledClients installs each package into an empty project, whose script exchanges a
// message with a server. scripts/clients packs them first, the wheel of a generated client at night.
func TestServe_InstalledClients(t *testing.T) {
	for name, install := range map[string]func(t *testing.T, folder string) (program []string){
		"react from packages": func(t *testing.T, folder string) []string {
			packed, err := filepath.Glob("../../tools/clients/build/packages/*.tgz")
			if err != nil || len(packed) != 2 {
				t.Fatalf("packed: %q, %v", packed, err)
			}
			return installReact(t, folder, absolute(t, packed[0]), absolute(t, packed[1]))
		},
		"react from a clone without tools": func(t *testing.T, folder string) []string {
			clone := t.TempDir()
			runIn(t, clone, "mkdir", "web")
			for _, name := range []string{"LICENSE", "scripts", "web/client", "web/react", "web/compile.mjs", "web/package.json", "web/tsconfig.json"} {
				runIn(t, ".", "cp", "-r", "../../"+name, clone+"/"+filepath.Dir(name))
			}
			runIn(t, clone, "rm", "-rf", "web/client/dist", "web/react/dist")
			runIn(t, clone, "scripts/packages", folder)
			return installReact(t, folder, "./parley-client-"+config.Version+".tgz", "./parley-react-"+config.Version+".tgz")
		},
		"wheel": installWheel,
		"go":    installGo,
	} {
		if name == "wheel" && !nightly.Enabled() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder, dir := t.TempDir(), dataDir(t)
			program := install(t, folder)
			s := serve(t, dir)
			cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "PARLEY_URL="+s.url, "PARLEY_TOKEN="+tokenOf(t, dir, "amsg"), "PARLEY_TOKEN_BOB="+tokenOf(t, dir, "bob"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// installReact installs packages into an empty project, next to React in the tested version. The
// sample must compile there.
func installReact(t *testing.T, folder string, packages ...string) []string {
	text, err := os.ReadFile("../../web/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var tools struct{ DevDependencies map[string]string }
	if err := json.Unmarshal(text, &tools); err != nil {
		t.Fatal(err)
	}
	write(t, folder+"/package.json", `{"private": true, "type": "module"}`)
	write(t, folder+"/tsconfig.json", `{
		"compilerOptions": {"strict": true, "noEmit": true, "module": "nodenext", "target": "es2022", "jsx": "react-jsx", "lib": ["es2023", "dom", "dom.iterable"]},
		"include": ["inbox.tsx"]}`)
	args := append([]string{"npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"}, packages...)
	for _, name := range []string{"@types/react", "react", "react-dom", "react-test-renderer", "ws"} {
		version := tools.DevDependencies[name]
		if name == "react-test-renderer" {
			version = tools.DevDependencies["react"]
		}
		args = append(args, name+"@"+version)
	}
	runIn(t, folder, args...)
	copyFile(t, "../../examples/inbox/inbox.tsx", folder+"/inbox.tsx")
	copyFile(t, installed+"react.mjs", folder+"/react.mjs")
	runIn(t, folder, "node", absolute(t, "../../web/node_modules/typescript/bin/tsc"), "-p", ".")
	return []string{"node", "react.mjs"}
}

// installWheel installs the wheel into an empty environment. The hashes of what it needs are
// pinned.
func installWheel(t *testing.T, folder string) []string {
	wheels, err := filepath.Glob("../../tools/clients/build/wheel/*.whl")
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels: %q, %v", wheels, err)
	}
	text, err := os.ReadFile(wheels[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder+"/requirements.txt", fmt.Sprintf("%s --hash=sha256:%x\n", absolute(t, wheels[0]), sha256.Sum256(text)))
	runIn(t, folder, "python3", "-m", "venv", "environment")
	runIn(t, folder, "environment/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes",
		"-r", "requirements.txt", "-r", absolute(t, "../../tools/python/wheel.txt"))
	copyFile(t, installed+"wheel.py", folder+"/wheel.py")
	return []string{"environment/bin/python", "wheel.py"}
}

func installGo(t *testing.T, folder string) []string {
	copyFile(t, installed+"bot.go.txt", folder+"/main.go")
	runIn(t, folder, "go", "mod", "init", "example.com/bot")
	runIn(t, folder, "go", "mod", "edit", "-require=example.com/parley@v0.0.0", "-replace=example.com/parley="+absolute(t, "../.."))
	runIn(t, folder, "go", "build", "-mod=mod", "-buildvcs=false", "-o", "bot", ".")
	return []string{folder + "/bot"}
}

// runIn runs a program in a folder.
func runIn(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
