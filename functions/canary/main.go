// The canary function checks the deployment every few minutes, as one of its users. It signs in and
// runs the steps of make smoke through the public API. A run that fails returns an error, which
// Lambda counts and an alarm watches.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "canary:", err)
		os.Exit(1)
	}
}

// run handles events one after another until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	c, err := fromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(c.handle, lambda.WithContext(ctx))
	return nil
}
