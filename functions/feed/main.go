// The feed function appends changes from the table's stream to the feeds of rooms.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/feedfn"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "feed:", err)
		os.Exit(1)
	}
}

// run handles batches until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := feedfn.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(config.Function(), lambda.WithContext(ctx))
	return nil
}
