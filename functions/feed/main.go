// The feed function appends changes from the table's stream to the feeds of rooms.
package main

import (
	"fmt"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/feedfn"
)

func main() {
	config, err := feedfn.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "feed:", err)
		os.Exit(1)
	}
	lambda.Start(config.Function())
}
