package engine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

const (
	// endpointVar names the address of a running engine.
	endpointVar = "DYNAMODB_ENDPOINT"
	// programVar names the engine's program.
	programVar = "DYNOXIDE_BIN"
	// programName is the program on the PATH and in the npm package.
	programName = "dynoxide"
)

// ErrNotInstalled is returned if the engine's program cannot be found.
var ErrNotInstalled = errors.New("the local DynamoDB engine was not found")

// findProgram tries $DYNOXIDE_BIN and the PATH. It then searches for node_modules from the working
// directory upwards, because tests run in package folders.
func findProgram(env func(string) string) (string, error) {
	if path := env(programVar); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("$%s: %w", programVar, err)
		}
		return path, nil
	}
	if path, err := lookPath(env("PATH")); err == nil {
		return path, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the engine: %w", err)
	}
	pkg := filepath.Join("node_modules", "@dynoxide", platform())
	for {
		path := filepath.Join(dir, pkg, programFile())
		if _, err := exec.LookPath(path); err == nil {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", notInstalled()
		}
		dir = parent
	}
}

// lookPath works like exec.LookPath with an explicit list of folders.
func lookPath(list string) (string, error) {
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue // like exec: never run a program from the working directory
		}
		if path, err := exec.LookPath(filepath.Join(dir, programFile())); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

func notInstalled() error {
	return fmt.Errorf("%w: run scripts/install in the repository's folder and start chat there; "+
		"on %s, if that does not install it, "+
		"install npm package @dynoxide/%s at the version that package.json pins, "+
		"and set $%s to its program (or $%s to a running engine)",
		ErrNotInstalled, runtime.GOOS, platform(), programVar, endpointVar)
}

// platform returns the npm package's name for this machine.
func platform() string {
	system, arch := runtime.GOOS, runtime.GOARCH
	if system == "windows" {
		system = "win32"
	}
	if arch == "amd64" {
		arch = "x64"
	}
	return system + "-" + arch
}

func programFile() string {
	if runtime.GOOS == "windows" {
		return programName + ".exe"
	}
	return programName
}
