// The search function searches messages. Once a day, it sweeps the index of searches.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	_ "time/tzdata" // Lambda has no time zones

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/apifn"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
}

// run handles invocations until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := apifn.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(config.Search(), lambda.WithContext(ctx))
	return nil
}
