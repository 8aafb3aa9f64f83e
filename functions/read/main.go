// The read function serves the operations that only read, and the API's documents.
package main

import (
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
)

func main() {
	config, err := apifn.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "read:", err)
		os.Exit(1)
	}
	lambda.Start(gateway.Function(gateway.Handler(config.HTTP(httpapi.Reads()))))
}
