package stream

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// readTimeout limits one read of the engine. A thousand edits of the longest messages, with the
// items before and after, are 64 MB, and a busy laptop takes seconds to read them. Without a limit,
// a stalled read would never be retried.
const readTimeout = time.Minute

// NewClient returns a client of a local engine's streams, and a function that closes its
// connections. The engine accepts any credentials.
func NewClient(endpoint string) (client *dynamodbstreams.Client, end func()) {
	transport := &http.Transport{}
	client = dynamodbstreams.New(dynamodbstreams.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint,
		HTTPClient: &http.Client{Transport: transport, Timeout: readTimeout},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
		// The poller retries by itself, after shorter pauses.
		Retryer: aws.NopRetryer{},
	})
	return client, transport.CloseIdleConnections
}
