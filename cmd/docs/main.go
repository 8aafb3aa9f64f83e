// The docs command runs the commands that README.md and docs print, in a clean clone. It is for
// developers of Parley: make readme starts it.
//
// Blocks that need an account are left to make test-deploy; package docs describes the kinds of
// blocks. `sam local invoke` needs Docker, so this command replaces both. It runs the binary of
// the synthesized function with the event, under a stub of the Lambda Runtime API.
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

// bridge stands for the address of Docker's bridge. A server on 127.0.0.1 is not reachable there,
// just as it is not reachable from a container on Linux.
const bridge = "127.0.0.2"

// prepare clones the repository into the folder $1, and adds the archives that a reader would
// bring. It also adds stand-ins for sam, which is this program $2, and ip, which prints the
// bridge's address.
const prepare = `git clone -q . "$1/parley"
cd "$1/parley"
mkdir -p ../bin path/to/downloads
cp internal/archive/irc/testdata/logs/2020-02-28_02.txt path/to/2004-11-15_03.txt
python3 -m zipfile -c path/to/export.zip internal/archive/slack/testdata/export/*
ln -s "$2" ../bin/sam
cat >../bin/ip <<'EOF'
#!/bin/sh
test "$*" = '-4 -o addr show docker0' && echo '2: docker0    inet ` + bridge + `/16 scope global docker0'
EOF
chmod +x ../bin/ip
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	act := run
	if filepath.Base(os.Args[0]) == "sam" { // called through the link in the shells' PATH
		act = sam
	}
	err := act(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// run runs the blocks of the repository in the working directory.
func run(ctx context.Context, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, wholeTime)
	defer cancel()
	folder, err := os.MkdirTemp("", "docs")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if printed, err := exec.CommandContext(ctx, "bash", "-euc", prepare, "prepare", folder, self).CombinedOutput(); err != nil {
		return fmt.Errorf("prepare a clone: %w\n%s", err, printed)
	}
	r := runner{dir: filepath.Join(folder, "parley"), env: environment(filepath.Join(folder, "bin")), out: out}
	return r.pages(ctx)
}

// environment returns the environment of the shells: this process's environment with a folder
// first in the PATH. It has no credentials, so that a block that calls AWS by mistake fails.
func environment(bin string) []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "AWS_") })
	return append(env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull, "AWS_EC2_METADATA_DISABLED=true")
}
