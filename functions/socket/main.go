// The socket function serves the connections of live delivery.
package main

import (
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/socketfn"
)

func main() {
	config, err := socketfn.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "socket:", err)
		os.Exit(1)
	}
	lambda.Start(config.Handler().Handle)
}
