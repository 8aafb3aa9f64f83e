// The authorizer function decides who may open a connection for live delivery.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/socketauth"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "authorizer:", err)
		os.Exit(1)
	}
}

// run handles connections until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	authorizer, err := socketauth.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(authorizer.Handle, lambda.WithContext(ctx))
	return nil
}
