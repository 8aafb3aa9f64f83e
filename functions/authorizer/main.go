// The authorizer function decides who may open a connection for live delivery.
package main

import (
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/socketauth"
)

func main() {
	authorizer, err := socketauth.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "authorizer:", err)
		os.Exit(1)
	}
	lambda.Start(authorizer.Handle)
}
