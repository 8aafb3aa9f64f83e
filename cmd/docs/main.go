// The docs command runs the commands that README.md and docs print, in a clean clone. It is for
// developers of Parley: make readme starts it.
//
// Blocks that need an account are left to make test-deploy; package docs describes the kinds. `sam
// local invoke` needs Docker, so the command takes the place of both. It runs the binary of the
// synthesized function with the event, under a stub of the Lambda Runtime API.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// run acts as sam or docker when it is called by that name, through the links that the runner
// creates for its shells.
func run(ctx context.Context, args []string, out io.Writer) error {
	switch filepath.Base(args[0]) {
	case "sam":
		return sam(ctx, args[1:], out)
	case "docker":
		return docker(args[1:], out)
	}
	if len(args) != 1 {
		return errors.New("docs takes no arguments; run it in the repository's folder")
	}
	return runAll(ctx, ".", out)
}
