// Package hookqueue keeps the wake-ups of hooks in an SQS FIFO queue.
package hookqueue

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/hook"
)

const (
	// callTimeout bounds one attempt of a call.
	callTimeout = 5 * time.Second
	// maxBatch is the number of messages that SQS takes at once, and maxBatchBytes their size.
	maxBatch      = 10
	maxBatchBytes = 256 << 10
	// maxHidden is the most seconds that SQS hides a message.
	maxHidden = 12 * 60 * 60
)

// Queue is the queue. It implements hook.Queue and is safe for concurrent use. Its methods return a
// *chat.Error of kind Unavailable for messages that SQS did not take.
type Queue struct {
	client *sqs.Client
	url    string
}

// FromEnv returns the queue of a deployed function, with the region and the credentials of its
// database. It makes no request.
func FromEnv(getenv func(string) string, db *dynamodb.Client) *Queue {
	o := sqs.Options{
		Region: db.Options().Region, Credentials: db.Options().Credentials,
		HTTPClient: &http.Client{Timeout: callTimeout},
	}
	if endpoint := config.Endpoint(getenv, config.EnvSQSEndpoint); endpoint != "" {
		o.BaseEndpoint = &endpoint
	}
	return &Queue{client: sqs.New(o), url: getenv(config.EnvHookQueue)}
}

// Send sends wake-ups, those of one hook in their order: a request for every ten, or 256 KB.
func (q *Queue) Send(ctx context.Context, wakes []hook.Wake) error {
	var batch []types.SendMessageBatchRequestEntry
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		out, err := q.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &q.url, Entries: batch})
		batch, size = nil, 0
		if err != nil {
			return unavailable("send wake-ups", err)
		}
		return refused("send wake-ups", out.Failed)
	}
	for _, w := range wakes {
		text, err := json.Marshal(w)
		if err != nil {
			return fmt.Errorf("encode wake-up: %w", err)
		}
		if len(batch) == maxBatch || size+len(text) > maxBatchBytes {
			if err := flush(); err != nil {
				return err
			}
		}
		batch, size = append(batch, types.SendMessageBatchRequestEntry{
			Id: aws.String(strconv.Itoa(len(batch))), MessageBody: aws.String(string(text)),
			MessageGroupId: aws.String(w.Group()), MessageDeduplicationId: aws.String(w.Key()),
		}), size+len(text)
	}
	return flush()
}

// Delete removes messages that are done: a request for every ten.
func (q *Queue) Delete(ctx context.Context, handles []string) error {
	for part := range slices.Chunk(handles, maxBatch) {
		var entries []types.DeleteMessageBatchRequestEntry
		for i, handle := range part {
			entries = append(entries, types.DeleteMessageBatchRequestEntry{
				Id: aws.String(strconv.Itoa(i)), ReceiptHandle: aws.String(handle),
			})
		}
		out, err := q.client.DeleteMessageBatch(ctx, &sqs.DeleteMessageBatchInput{QueueUrl: &q.url, Entries: entries})
		if err != nil {
			return unavailable("delete wake-ups", err)
		}
		if err := refused("delete wake-ups", out.Failed); err != nil {
			return err
		}
	}
	return nil
}

// Hide lets messages wait for a time, to the second, and with them the later ones of their hook: a
// request for every ten.
func (q *Queue) Hide(ctx context.Context, handles []string, d time.Duration) error {
	seconds := int32(min(max(1, d.Round(time.Second)/time.Second), maxHidden))
	for part := range slices.Chunk(handles, maxBatch) {
		var entries []types.ChangeMessageVisibilityBatchRequestEntry
		for i, handle := range part {
			entries = append(entries, types.ChangeMessageVisibilityBatchRequestEntry{
				Id: aws.String(strconv.Itoa(i)), ReceiptHandle: aws.String(handle), VisibilityTimeout: seconds,
			})
		}
		out, err := q.client.ChangeMessageVisibilityBatch(ctx, &sqs.ChangeMessageVisibilityBatchInput{
			QueueUrl: &q.url, Entries: entries,
		})
		if err != nil {
			return unavailable("hide wake-ups", err)
		}
		if err := refused("hide wake-ups", out.Failed); err != nil {
			return err
		}
	}
	return nil
}

func refused(op string, failed []types.BatchResultErrorEntry) error {
	if len(failed) == 0 {
		return nil
	}
	return unavailable(op, fmt.Errorf("%d are refused, one with %s", len(failed), aws.ToString(failed[0].Code)))
}

func unavailable(op string, err error) error {
	return &chat.Error{
		Kind: chat.Unavailable, Detail: "the queue of hooks cannot answer now", Cause: fmt.Errorf("%s: %w", op, err),
	}
}
