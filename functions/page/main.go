// The page function writes the web app to its bucket during a deploy.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/pagefn"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// run handles CloudFormation's requests one after another until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	config, err := pagefn.FromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(cfn.LambdaWrap(config.Handle), lambda.WithContext(ctx))
	return nil
}
