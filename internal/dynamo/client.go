// Package dynamo keeps the domain's store on DynamoDB: conditional puts that recognise a retry,
// scatter-gather reads over a room's shards, its own backoff, and an account of what every call
// consumed.
package dynamo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/config"
	"parley/internal/env"
)

const (
	// maxAttempts bounds one call: three retries outlast the usual hiccup of a partition and still
	// leave the client time to retry by itself.
	maxAttempts = 4
	// backoffBase and backoffCap replace the SDK's wait of about a second after the first failure,
	// which is longer than most failures. Four attempts wait 25, 50 and 100 ms at most: the cap
	// counts only should there be more.
	backoffBase = 25 * time.Millisecond
	backoffCap  = 400 * time.Millisecond
	// attemptTimeout gives up an attempt that hangs: DynamoDB answers in milliseconds or not at
	// all. Four of them fit a request's time.
	attemptTimeout = 2 * time.Second
	// dialTimeout bounds making a connection, within an attempt.
	dialTimeout = time.Second
	// idleConns keeps a connection a shard, so that a scatter over all of them opens none anew.
	idleConns = 64
	// idleTimeout is below the service's own, so that we close first.
	idleTimeout = 50 * time.Second
)

// ClientConfig is what a client needs to know. Region is required; Endpoint is for the local engine
// alone.
type ClientConfig struct {
	Region      string
	Endpoint    string
	Credentials aws.CredentialsProvider
	// Jitter gives a random number in [0, 1); nil is the runtime's own.
	Jitter func() float64
	// Options are applied last: tests hang their faults here.
	Options []func(*dynamodb.Options)
}

// NewClient makes a DynamoDB client with our timeouts and backoff. It makes no request.
func NewClient(cfg ClientConfig) *dynamodb.Client {
	jitter := cfg.Jitter
	if jitter == nil {
		jitter = rand.Float64
	}
	opts := dynamodb.Options{
		Region:      cfg.Region,
		Credentials: cfg.Credentials,
		HTTPClient:  newHTTPClient(),
		Retryer:     newRetryer(jitter),
	}
	if cfg.Endpoint != "" {
		opts.BaseEndpoint = aws.String(cfg.Endpoint)
	}
	return dynamodb.New(opts, cfg.Options...)
}

const (
	// toolAttempts and toolBackoff let a command outlast what an operator would wait for anyway: it
	// runs for hours beside the functions, and gives way to them.
	toolAttempts = 12
	toolBackoff  = 10 * time.Second
	// toolTimeout lets a megabyte come over a slow line.
	toolTimeout = 30 * time.Second
)

// ToolClient makes a client for an operator's command, from a configuration that was loaded with
// the SDK's credential chain. Functions use ClientFromEnv.
func ToolClient(cfg aws.Config) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		if c, ok := o.HTTPClient.(*awshttp.BuildableClient); ok { // which knows of AWS_CA_BUNDLE
			o.HTTPClient = c.WithTimeout(toolTimeout)
		}
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = toolAttempts, toolBackoff
			o.RateLimiter, o.Retryables = ratelimit.None, retryables()
		})
	})
}

// The variables that ClientFromEnv reads, beside those of the endpoint. Lambda sets them.
const (
	envRegion  = "AWS_REGION"
	envKeyID   = "AWS_ACCESS_KEY_ID"
	envSecret  = "AWS_SECRET_ACCESS_KEY"
	envSession = "AWS_SESSION_TOKEN"
)

// ClientFromEnv makes a client from the variables that Lambda gives a function, and from those by
// which AWS documents other endpoints. The SDK's config loader would read the same ones, and take 7
// ms and 1.8 MB to do it.
func ClientFromEnv(getenv func(string) string) (*dynamodb.Client, error) {
	for _, name := range []string{envRegion, envKeyID, envSecret} {
		if getenv(name) == "" {
			return nil, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	return NewClient(ClientConfig{
		Region:      getenv(envRegion),
		Endpoint:    env.Endpoint(getenv, config.EnvDynamoDBEndpoint),
		Credentials: StaticCredentials(getenv(envKeyID), getenv(envSecret), getenv(envSession)),
	}), nil
}

// StaticCredentials never change: Lambda's outlive the process that has them.
func StaticCredentials(id, secret, session string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: id, SecretAccessKey: secret, SessionToken: session, Source: "static"}, nil
	})
}

// LocalClient makes a client of the local engine, which takes any credentials.
func LocalClient(endpoint string, options ...func(*dynamodb.Options)) *dynamodb.Client {
	return NewClient(ClientConfig{
		Region:      "us-east-1",
		Endpoint:    endpoint,
		Credentials: StaticCredentials("local", "local", ""),
		Options:     options,
	})
}

func newHTTPClient() *http.Client {
	return &http.Client{
		Timeout: attemptTimeout,
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSHandshakeTimeout: dialTimeout,
			MaxIdleConnsPerHost: idleConns,
			IdleConnTimeout:     idleTimeout,
			ForceAttemptHTTP2:   false,
		},
	}
}

func newRetryer(jitter func() float64) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		// The SDK's token bucket would stop retries in a busy process just when they are needed;
		// maxAttempts bounds them already.
		o.RateLimiter = ratelimit.None
		o.Retryables = retryables()
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return backoff(attempt, jitter()), nil
		})
	})
}

// backoff waits a random part of a cap that doubles: full jitter. Attempts count from 1.
func backoff(attempt int, random float64) time.Duration {
	limit := backoffCap
	if attempt < 6 { // 25 ms << 5 is over the cap already
		limit = min(backoffCap, backoffBase<<max(0, attempt-1))
	}
	return time.Duration(random * float64(limit))
}
