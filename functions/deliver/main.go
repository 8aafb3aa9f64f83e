// The deliver function sends changes to the addresses of hooks.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/deliverfn"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "deliver:", err)
		os.Exit(1)
	}
}

// run handles batches until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := deliverfn.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(config.Handler(), lambda.WithContext(ctx))
	return nil
}
