// The socket function serves the connections of live delivery.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/socketfn"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "socket:", err)
		os.Exit(1)
	}
}

// run handles events until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := socketfn.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(config.Handler().Handle, lambda.WithContext(ctx))
	return nil
}
