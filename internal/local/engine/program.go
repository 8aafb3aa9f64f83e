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

// findProgram tries $DYNOXIDE_BIN, the PATH, the folder of this program, and node_modules in that
// folder and its parents. It then does so from the working directory, because tests run in package
// folders, and at last tries the folders in which Ensure installs.
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
	places, err := places()
	if err != nil {
		return "", fmt.Errorf("find the engine: %w", err)
	}
	for _, dir := range places {
		if path, err := exec.LookPath(filepath.Join(dir, programFile())); err == nil {
			return path, nil
		}
	}
	return "", notInstalled()
}

// places returns the folders in which the engine may be.
func places() ([]string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var dirs []string
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			own := filepath.Dir(self)
			dirs = append(append(dirs, own), modules(own)...)
		}
	}
	dirs = append(dirs, modules(dir)...)
	if cache, err := cacheFolders(); err == nil {
		dirs = append(dirs, cache.fetched, filepath.Join(cache.built, "bin"))
	}
	return dirs, nil
}

// modules returns the folders that npm would install the package in, for a folder and its parents.
func modules(dir string) (found []string) {
	for {
		found = append(found, filepath.Join(dir, "node_modules", "@dynoxide", platform()))
		parent := filepath.Dir(dir)
		if parent == dir {
			return found
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
	return fmt.Errorf("%w: chat engine installs it; or set $%s to its program, or $%s to a running engine",
		ErrNotInstalled, programVar, endpointVar)
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
