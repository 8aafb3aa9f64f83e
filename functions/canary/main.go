// The canary function checks the deployment every few minutes, as one of its users. It signs in and
// runs the steps of make smoke through the public API. A run that fails returns an error, which
// Lambda counts and an alarm watches.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/config"
)

func main() {
	c, err := fromEnv(os.Getenv, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "canary:", err)
		os.Exit(1)
	}
	lambda.Start(c.handle)
}

func logger(getenv func(string) string, logs io.Writer) (*slog.Logger, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	return log, nil
}

// awsConfig returns a configuration from the variables that Lambda sets. The SDK's loader would
// read the same ones, and take longer.
func awsConfig(getenv func(string) string) (aws.Config, error) {
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		if getenv(name) == "" {
			return aws.Config{}, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	keys := aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: getenv("AWS_SESSION_TOKEN"), Source: "Lambda",
	}
	return aws.Config{
		Region: getenv("AWS_REGION"), HTTPClient: httpClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
	}, nil
}

func endpoint(getenv func(string) string, variable string) *string {
	if url := config.Endpoint(getenv, variable); url != "" {
		return &url
	}
	return nil
}
