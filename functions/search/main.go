// The search function searches messages. Once a day, it sweeps the index of searches.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // Lambda has no time zones

	"github.com/aws/aws-lambda-go/lambda"

	"example.com/parley/internal/apifn"
)

func main() {
	config, err := apifn.FromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
	lambda.Start(config.Search())
}
