// The docs command runs the commands that README.md and docs print, in a clean clone. Its arguments
// name the pages; without any, it runs all but docs/sam.md, which needs Docker. It is for Parley's
// developers: make readme and make test-sam start it.
//
// Blocks that need an account are left to make test-deploy; package docs describes the kinds of
// blocks.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// wholeTime bounds the run. The run builds everything, perhaps on a busy machine.
const wholeTime = 15 * time.Minute

// dockerPage is the page whose commands need Docker.
const dockerPage = "docs/sam.md"

// prepare clones the repository into the folder $1, and adds the archives that a reader would
// bring, and the list of accounts that a block for an account writes.
const prepare = `git clone -q . "$1/parley"
cd "$1/parley"
mkdir -p path/to/downloads
cp internal/archive/irc/testdata/logs/2020-02-28_02.txt path/to/2004-11-15_03.txt
python3 -m zipfile -c path/to/export.zip internal/archive/slack/testdata/export/*
printf 'ada@example.com\tf2a1c7de-0b5e-4e7d-9d55-2f3d9c7d1a10\n' > accounts.tsv
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// run runs the blocks of some pages of the repository in the working directory.
func run(ctx context.Context, pages []string, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, wholeTime)
	defer cancel()
	folder, err := os.MkdirTemp("", "docs")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if printed, err := exec.CommandContext(
		ctx, "bash", "-euc", prepare, "prepare", folder,
	).CombinedOutput(); err != nil {
		return fmt.Errorf("prepare a clone: %w\n%s", err, printed)
	}
	r := runner{dir: filepath.Join(folder, "parley"), env: environment(), out: out}
	return r.pages(ctx, pages)
}

// environment returns the environment of the shells: this process's environment without
// credentials, so that a block that calls AWS by mistake fails.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "AWS_") })
	return append(
		env, "AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull, "AWS_EC2_METADATA_DISABLED=true",
	)
}
