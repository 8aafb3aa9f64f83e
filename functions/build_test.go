package functions_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"example.com/parley/internal/test/nightly"
)

// The flag -emulated runs the arm64 binaries, as shipped, under emulation.
var emulated = flag.Bool("emulated", false, "run the arm64 binaries under qemu-aarch64-static")

const emulator = "qemu-aarch64-static"

// binaries is a folder for the functions' binaries.
var binaries string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if binaries, err = os.MkdirTemp("", "functions"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(binaries) }()
	return recorder.Main(m)
}

// built holds a function for each binary, which builds it once.
var built sync.Map

// build builds a function and returns the command line that runs it.
func build(t *testing.T, function string) []string {
	t.Helper()
	binary := filepath.Join(binaries, function)
	once, _ := built.LoadOrStore(function, sync.OnceValue(func() error { return compile(function, binary) }))
	if err := once.(func() error)(); err != nil {
		t.Fatal(err)
	}
	if *emulated {
		return []string{emulator, binary}
	}
	return []string{binary}
}

// compile builds a function as shipped, but only at night and for the emulator: the test has
// already compiled most packages, and different flags would compile them all again.
func compile(function, binary string) error {
	args := []string{"build", "-tags", "lambda.norpc", "-ldflags", "-s -w -buildid=", "-o", binary}
	env := os.Environ()
	if nightly.Enabled() || *emulated {
		args = append(args, "-trimpath", "-buildvcs=false")
		env = append(env, "CGO_ENABLED=0", "GOOS=linux")
	}
	if *emulated {
		env = append(env, "GOARCH=arm64")
	}
	build := exec.Command("go", append(args, "./"+function)...)
	build.Env = env
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", function, err, out)
	}
	return nil
}
