package stream

import (
	"context"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// readTimeout bounds one read of the engine: a thousand edits of the longest messages, before and
// after, are 64 MB, which a busy laptop takes seconds to read. One that never came through would come again
// for ever.
const readTimeout = time.Minute

// NewClient makes a client of a local engine's streams, which takes any credentials. The end of it
// closes its connections.
func NewClient(endpoint string) (client *dynamodbstreams.Client, end func()) {
	transport := &http.Transport{}
	client = dynamodbstreams.New(dynamodbstreams.Options{
		Region: "us-east-1", BaseEndpoint: &endpoint,
		HTTPClient: &http.Client{Transport: transport, Timeout: readTimeout},
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
		// The poller reads again by itself, and waits less.
		Retryer: aws.NopRetryer{},
	})
	return client, transport.CloseIdleConnections
}
