// The canary function checks the deployment on a schedule, as one of its users.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/canary"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "canary:", err)
		os.Exit(1)
	}
}

// run handles events one after another until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := canary.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(config.Handle, lambda.WithContext(ctx))
	return nil
}
