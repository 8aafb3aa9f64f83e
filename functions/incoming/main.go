// The incoming function posts the messages of programs that have the secret of an incoming webhook.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	_ "time/tzdata" // Lambda has no time zones

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "incoming:", err)
		os.Exit(1)
	}
}

// run handles invocations until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := apifn.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	handler := gateway.Function(gateway.Handler(config.HTTP(httpapi.Incomings())))
	lambda.StartWithOptions(handler, lambda.WithContext(ctx))
	return nil
}
