package feedfn

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"example.com/parley/internal/stream"
)

// sendTimeout bounds one attempt to send; the SDK makes three.
const sendTimeout = 3 * time.Second

// QueueConfig holds the settings of a FailureQueue.
type QueueConfig struct {
	URL         string
	Region      string
	Endpoint    string // empty means the default
	Credentials aws.CredentialsProvider
}

// FailureQueue implements stream.Failures on SQS.
type FailureQueue struct {
	client *sqs.Client
	url    string
}

// NewFailureQueue creates a queue client. It makes no request.
func NewFailureQueue(cfg QueueConfig) *FailureQueue {
	o := sqs.Options{Region: cfg.Region, Credentials: cfg.Credentials, HTTPClient: &http.Client{Timeout: sendTimeout}}
	if cfg.Endpoint != "" {
		o.BaseEndpoint = &cfg.Endpoint
	}
	return &FailureQueue{client: sqs.New(o), url: cfg.URL}
}

// Keep sends a failure as JSON.
func (q *FailureQueue) Keep(ctx context.Context, f stream.Failure) error {
	body, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("store failure: %w", err)
	}
	_, err = q.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &q.url, MessageBody: aws.String(string(body))})
	if err != nil {
		return fmt.Errorf("store failure: %w", err)
	}
	return nil
}
