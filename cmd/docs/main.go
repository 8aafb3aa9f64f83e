// The docs command runs the commands that README.md and docs print, in a clean clone. It is for
// those who work on Parley: make readme starts it.
//
// Blocks that need an account are left to make test-deploy; package docs has the kinds. For
// `sam local invoke`, which needs Docker, it puts itself in the place of sam: it runs the binary
// of the synthesized function with the event under a stub of the Lambda Runtime API.
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

// run is sam when it is called so, by the link that the runner makes for its shells.
func run(ctx context.Context, args []string, out io.Writer) error {
	if filepath.Base(args[0]) == "sam" {
		return sam(ctx, args[1:], out)
	}
	if len(args) != 1 {
		return errors.New("it takes no arguments, and runs from the repository's folder")
	}
	return runAll(ctx, ".", out)
}
