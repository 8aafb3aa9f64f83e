package main

import (
	"context"
	"fmt"
	"os"

	"example.com/parley/internal/local/engine"
)

// engineCmd installs the local engine.
type engineCmd struct {
	Dir      string `type:"path" help:"Install it into this folder, whether or not there is another one."`
	Platform string `help:"With --dir: the platform, such as darwin-arm64 or linux-x64, instead of this machine's."`
}

// Run prints the path of the program. It prints an empty line if $DYNAMODB_ENDPOINT names a running
// engine.
func (c engineCmd) Run(ctx context.Context, s streams) (err error) {
	var program string
	if c.Dir == "" {
		program, err = engine.Ensure(ctx, os.Getenv, s.Err)
	} else {
		program, err = engine.Package{Platform: c.Platform, Env: os.Getenv}.Install(ctx, c.Dir)
	}
	if err == nil {
		_, err = fmt.Fprintln(s.Out, program)
	}
	return err
}
