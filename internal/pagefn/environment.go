package pagefn

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"example.com/parley/internal/config"
	"example.com/parley/web"
)

// callTimeout bounds one attempt of a call to S3; the SDK makes three.
const callTimeout = 5 * time.Second

// FromEnv returns the configuration of the deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Config, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return Config{}, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	for _, name := range []string{config.EnvPageBucket, "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
		if getenv(name) == "" {
			return Config{}, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	files, err := web.Files()
	if err != nil {
		return Config{}, fmt.Errorf("open the web app: %w", err)
	}
	return Config{
		Bucket: getenv(config.EnvPageBucket), Files: files, Storage: storage(getenv), HTTP: &http.Client{},
		Clock: time.Now, Log: log,
	}, nil
}

// storage returns a client with the credentials that Lambda sets. At another endpoint than the
// service's own, buckets have no host names.
func storage(getenv func(string) string) *s3.Client {
	keys := aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: getenv("AWS_SESSION_TOKEN"), Source: "Lambda",
	}
	return s3.New(s3.Options{
		Region: getenv("AWS_REGION"), HTTPClient: &http.Client{Timeout: callTimeout},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
		// The signature covers the content, so that it needs no further checksum.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
	}, func(o *s3.Options) {
		if url := config.Endpoint(getenv, config.EnvStorageEndpoint); url != "" {
			o.BaseEndpoint, o.UsePathStyle = &url, true
		}
	})
}
