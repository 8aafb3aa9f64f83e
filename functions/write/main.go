// The write function serves the operations that put and update items.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // Lambda has no time zones

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
)

func main() {
	config, err := apifn.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
	lambda.Start(gateway.Function(gateway.Handler(config.HTTP(httpapi.Writes()))))
}
