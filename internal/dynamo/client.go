// Package dynamo implements the domain's stores on DynamoDB: conditional puts that recognize a
// retry, scatter-gather reads over a room's shards, its own backoff, and an account of the units
// that every call consumes.
//
// Table makes the calls, in get.go, put.go, update.go, query.go, batch.go and transact.go. It adds
// the table's name, translates errors and reports consumption. The stores only state keys,
// conditions, expressions and consistency.
package dynamo

import (
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/config"
)

const (
	// maxAttempts bounds one call. Three retries outlast the usual hiccup of a partition and still
	// leave time for the client's own retries.
	maxAttempts = 4
	// backoffBase and backoffCap replace the SDK's wait of about a second after the first failure,
	// which outlasts most failures. Four attempts wait at most 25, 50 and 100 ms. The cap would
	// matter only with more of them.
	backoffBase = 25 * time.Millisecond
	backoffCap  = 400 * time.Millisecond
	// maxRetryAfter bounds the wait that the service asks for. Four attempts of attemptTimeout with
	// three such waits take 11 s, less than a request has.
	maxRetryAfter = time.Second
	// attemptTimeout ends a hanging attempt: DynamoDB responds in milliseconds or not at all. Four
	// attempts fit in a request's time.
	attemptTimeout = 2 * time.Second
	// dialTimeout bounds connection setup, within an attempt.
	dialTimeout = time.Second
	// idleConns keeps one connection for each shard, so that a query of all shards opens no
	// connection.
	idleConns = 64
	// maxAnswer bounds one response in bytes. The largest is a batch of 100 messages of 32 KB,
	// each byte of which may be written as six.
	maxAnswer = 24 << 20
	// maxAnswerHeader bounds the header of a response. The service sends a few hundred bytes.
	maxAnswerHeader = 64 << 10
	// idleTimeout is shorter than the service's timeout, so that the client closes first.
	idleTimeout = 50 * time.Second
)

// ClientConfig configures a client. Region is required. Endpoint is only for the local engine.
type ClientConfig struct {
	Region      string
	Endpoint    string
	Credentials aws.CredentialsProvider
	// Jitter returns a random number in [0, 1). The default is the runtime's generator.
	Jitter func() float64
	// Options are applied last. Tests inject faults with them.
	Options []func(*dynamodb.Options)
}

// NewClient returns a DynamoDB client with Parley's timeouts and backoff. It makes no request.
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
	// toolAttempts and toolBackoff let a command outlast a longer outage: it runs for hours
	// alongside the functions and gives way to them.
	toolAttempts = 12
	toolBackoff  = 10 * time.Second
	// toolTimeout is long enough for a megabyte over a slow line.
	toolTimeout = 30 * time.Second
)

// ToolClient returns a client for an operator's command, from a configuration loaded with the
// SDK's credential chain. Functions use ClientFromEnv.
func ToolClient(cfg aws.Config) *dynamodb.Client {
	return dynamodb.NewFromConfig(cfg, func(o *dynamodb.Options) {
		if c, ok := o.HTTPClient.(*awshttp.BuildableClient); ok { // it honors AWS_CA_BUNDLE
			o.HTTPClient = c.WithTimeout(toolTimeout)
		}
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = toolAttempts, toolBackoff
			o.RateLimiter, o.Retryables = ratelimit.None, retryables()
			o.Backoff = patient{retry.NewExponentialJitterBackoff(toolBackoff), toolBackoff}
		})
	})
}

// The variables that ClientFromEnv reads besides the endpoint. Lambda sets them.
const (
	envRegion  = "AWS_REGION"
	envKeyID   = "AWS_ACCESS_KEY_ID"
	envSecret  = "AWS_SECRET_ACCESS_KEY"
	envSession = "AWS_SESSION_TOKEN"
)

// ClientFromEnv returns a client from the variables that Lambda sets for a function, and the
// variables that AWS documents for other endpoints. The SDK's config loader would read the same
// variables, at the cost of 7 ms and 1.8 MB.
func ClientFromEnv(getenv func(string) string) (*dynamodb.Client, error) {
	if err := config.Require(getenv, envRegion, envKeyID, envSecret); err != nil {
		return nil, err
	}
	return NewClient(ClientConfig{
		Region:      getenv(envRegion),
		Endpoint:    config.Endpoint(getenv, config.EnvDynamoDBEndpoint),
		Credentials: StaticCredentials(getenv(envKeyID), getenv(envSecret), getenv(envSession)),
	}), nil
}

// StaticCredentials returns credentials that never change: Lambda's credentials outlive the
// process.
func StaticCredentials(id, secret, session string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: id, SecretAccessKey: secret, SessionToken: session, Source: "static"}, nil
	})
}

// LocalClient returns a client for the local engine, which accepts any credentials.
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
		// The service never redirects, and no other host may see a request.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: bounded{&http.Transport{
			DialContext:            (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSHandshakeTimeout:    dialTimeout,
			MaxIdleConnsPerHost:    idleConns,
			MaxResponseHeaderBytes: maxAnswerHeader,
			IdleConnTimeout:        idleTimeout,
			ForceAttemptHTTP2:      false,
		}},
	}
}

// bounded ends responses at maxAnswer bytes with an error.
type bounded struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.Transport.RoundTrip(r)
	if err == nil {
		res.Body = http.MaxBytesReader(nil, res.Body, maxAnswer)
	}
	return res, err
}

func newRetryer(jitter func() float64) aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = maxAttempts
		// The SDK's token bucket would stop the retries of a busy process just when they are
		// needed. maxAttempts bounds them already.
		o.RateLimiter = ratelimit.None
		o.Retryables = retryables()
		o.Backoff = patient{retry.BackoffDelayerFunc(func(attempt int, _ error) (time.Duration, error) {
			return backoff(attempt, jitter()), nil
		}), maxRetryAfter}
	})
}

// backoff returns a random part of a bound that doubles with each attempt: full jitter. Attempts
// count from 1.
func backoff(attempt int, random float64) time.Duration {
	limit := backoffCap
	if attempt < 6 { // 25 ms << 5 already exceeds the cap
		limit = min(backoffCap, backoffBase<<max(0, attempt-1))
	}
	return time.Duration(random * float64(limit))
}

// stackOfCall is the stack size that an SDK call needs, including its transport. The next stack
// size is 16 KB; the callers' frames use the rest.
const stackOfCall = 14 << 10

// growStack grows the stack of a new goroutine in one step. An SDK call would grow it three times
// while deep inside, and copy its frames each time.
//
//go:noinline
func growStack() {
	var frame [stackOfCall]byte
	runtime.KeepAlive(&frame)
}
