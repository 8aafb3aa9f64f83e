// The page function writes the web app to its bucket during a deploy.
package main

import (
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/pagefn"
)

func main() {
	config, err := pagefn.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
	lambda.Start(cfn.LambdaWrap(config.Handle))
}
