package engine

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	// Version is the npm package's version; package.json pins the same.
	Version = "1.2.1"
	// pinned is the integrity of the package for Linux on x86-64, as in package-lock.json. The
	// other packages have the registry's, because not every registry has them.
	pinned = "sha512-sBHqlxJ9ANkLluFkYRfd5r8Y0ApFew4FhOrlhgRAgD4XzEoFOukEo1nuBTQ1+jTtofqwn4NWQ2k0Tn5mNTjgUg=="
	// crate and crateVersion name the source that is built where there is no package. Crates have
	// numbers of their own: this one is of the package's version.
	crate, crateVersion = "dynoxide-rs", "2.0.1"

	// integrityVar states the package's integrity. Nothing else is installed then.
	integrityVar = "ENGINE_INTEGRITY"
	// registryVar names the npm registry, as npm itself does.
	registryVar = "npm_config_registry"

	// fetchTimeout limits the download of a package of 3 MB, which takes that long at 0.1 Mbit/s.
	fetchTimeout = 5 * time.Minute
	// maxPackage limits a package and the program in it, which have 3 and 8 MB.
	maxPackage = 64 << 20
	// hashPrefix is the algorithm of every accepted integrity.
	hashPrefix = "sha512-"
)

// errNoPackage is returned if the registry has no package or does not answer.
var errNoPackage = errors.New("there is no package")

// Package is an npm package of the engine.
type Package struct {
	Platform string // such as darwin-arm64; empty means this machine's
	Env      func(string) string
}

// Ensure returns the path of the engine's program. If no program is installed, it installs one in
// the user's cache folder, and writes what it does to out: the npm package, or where there is none,
// the crate, which cargo builds. If $DYNAMODB_ENDPOINT names a running engine, the path is empty.
func Ensure(ctx context.Context, env func(string) string, out io.Writer) (string, error) {
	if env(endpointVar) != "" {
		return "", nil
	}
	program, err := findProgram(env)
	if !errors.Is(err, ErrNotInstalled) {
		return program, err
	}
	folders, err := cacheFolders()
	if err != nil {
		return "", fmt.Errorf("%w: %w", notInstalled(), err)
	}
	p := Package{Env: env}
	fmt.Fprintf(out, "fetching the local engine %s into %s, once\n", p, folders.fetched)
	program, err = p.Install(ctx, folders.fetched)
	if !errors.Is(err, errNoPackage) {
		return program, err
	}
	if env(integrityVar) != "" {
		return "", fmt.Errorf("%w; without $%s its source would be built", err, integrityVar)
	}
	cargo, missing := exec.LookPath("cargo")
	if missing != nil {
		return "", fmt.Errorf("%w: %w. Install Rust from https://rustup.rs, with which its source is built, "+
			"or set $%s to an engine's program", ErrNotInstalled, err, programVar)
	}
	fmt.Fprintf(out, "%v\nbuilding %s %s instead, once; that takes some minutes\n", err, crate, crateVersion)
	cmd := exec.CommandContext(
		ctx, cargo, "install", crate, "--version", crateVersion, "--locked", "--root", folders.built,
	)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w: build %s %s: %w", ErrNotInstalled, crate, crateVersion, err)
	}
	return findProgram(env)
}

// String returns the name and version of the package.
func (p Package) String() string { return p.name() + "@" + Version }

func (p Package) name() string { return "@dynoxide/" + p.platform() }

func (p Package) platform() string { return cmp.Or(p.Platform, platform()) }

// Install fetches the package, checks its integrity and writes its program into a folder. The
// integrity is $ENGINE_INTEGRITY, or else the pinned one, or else the registry's.
func (p Package) Install(ctx context.Context, dir string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	packed, integrity, err := p.fetch(ctx)
	if err != nil {
		return "", err
	}
	sum := sha512.Sum512(packed)
	if found := hashPrefix + base64.StdEncoding.EncodeToString(sum[:]); found != integrity {
		return "", fmt.Errorf("%s has the integrity %s instead of %s: it is not installed", p, found, integrity)
	}
	name := programName
	if strings.HasPrefix(p.platform(), "win32") {
		name += ".exe"
	}
	program, err := unpack(packed, name)
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w", p, err)
	}
	return filepath.Join(dir, name), place(program, dir, name)
}

// fetch returns the package and the integrity that it must have.
func (p Package) fetch(ctx context.Context) (packed []byte, integrity string, err error) {
	from, err := p.registry(ctx)
	if err != nil {
		return nil, "", err
	}
	text, err := p.get(ctx, strings.TrimSuffix(from, "/")+"/"+url.PathEscape(p.name()))
	if err != nil {
		return nil, "", err
	}
	var described struct {
		Versions map[string]struct {
			Dist struct{ Integrity, Tarball string }
		}
	}
	if err := json.Unmarshal(text, &described); err != nil {
		return nil, "", fmt.Errorf("read the description of %s: %w", p, err)
	}
	found, ok := described.Versions[Version]
	if !ok {
		return nil, "", fmt.Errorf("%w %s: the registry has other versions", errNoPackage, p)
	}
	integrity = found.Dist.Integrity
	if p.platform() == "linux-x64" {
		integrity = pinned
	}
	integrity = cmp.Or(p.Env(integrityVar), integrity)
	if !strings.HasPrefix(integrity, hashPrefix) {
		return nil, "", fmt.Errorf("%s has the integrity %q, which is not SHA-512: it is not installed", p, integrity)
	}
	packed, err = p.get(ctx, found.Dist.Tarball)
	return packed, integrity, err
}

// registry returns the address of the npm registry: $npm_config_registry, or npm's own by
// default.
func (p Package) registry(ctx context.Context) (string, error) {
	if from := p.Env(registryVar); from != "" {
		return from, nil
	}
	text, err := exec.CommandContext(ctx, "npm", "config", "get", "registry").Output()
	if err != nil {
		return "", fmt.Errorf("%w %s: no registry is known; install npm or set $%s", errNoPackage, p, registryVar)
	}
	return strings.TrimSpace(string(text)), nil
}

func (p Package) get(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", p, err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", errNoPackage, p, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w %s: the registry answers %s", errNoPackage, p, resp.Status)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxPackage))
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", errNoPackage, p, err)
	}
	return text, nil
}

// unpack returns a file of a package, wherever it is in the package.
func unpack(packed []byte, name string) ([]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(plain); ; {
		header, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("find %s in it: %w", name, err)
		}
		if path.Base(header.Name) == name && header.Typeflag == tar.TypeReg && header.Size <= maxPackage {
			return io.ReadAll(files)
		}
	}
}

// place writes a program so that it is never seen in part.
func place(program []byte, dir, name string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("install the engine: %w", err)
	}
	partial, err := os.CreateTemp(dir, name+"-")
	if err != nil {
		return fmt.Errorf("install the engine: %w", err)
	}
	defer func() { _ = os.Remove(partial.Name()) }() // nothing is left to remove after success
	_, err = partial.Write(program)
	err = errors.Join(err, partial.Chmod(0o755), partial.Close())
	if err == nil {
		err = os.Rename(partial.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return fmt.Errorf("install the engine: %w", err)
	}
	return nil
}

// folders are where Ensure installs: the program of a package, and what cargo builds.
type folders struct{ fetched, built string }

func cacheFolders() (folders, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return folders{}, fmt.Errorf("find the cache folder: %w", err)
	}
	in := func(name string) string { return filepath.Join(cache, "parley", name) }
	return folders{fetched: in(programName + "-" + Version), built: in(crate + "-" + crateVersion)}, nil
}

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
