package dynamo

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
)

// cancelling is a service that cancels every transaction for the same reasons, and counts the
// calls.
type cancelling struct {
	reasons string
	asked   int
}

func (c *cancelling) Do(r *http.Request) (*http.Response, error) {
	c.asked++
	body := `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"cancelled","CancellationReasons":[` + c.reasons + `]}`
	return &http.Response{
		StatusCode: http.StatusBadRequest, Request: r, Body: io.NopCloser(bytes.NewReader([]byte(body))),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
	}, nil
}

func TestRetryCancelled_RetriesReasonsThatMayPass(t *testing.T) {
	for _, tt := range []struct {
		name, reasons string
		asked         int
	}{
		{"another write to the item", `{"Code":"None"},{"Code":"TransactionConflict"}`, maxAttempts},
		{"throttled", `{"Code":"ThrottlingError"}`, maxAttempts},
		{"a partition at its limit", `{"Code":"ProvisionedThroughputExceeded"},{"Code":"None"}`, maxAttempts},
		{"a condition that did not hold", `{"Code":"ConditionalCheckFailed"},{"Code":"None"}`, 1},
		{"an item that is wrong", `{"Code":"ValidationError"}`, 1},
		{"no reason", ``, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &cancelling{reasons: tt.reasons}
				client := LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) { o.HTTPClient = service })
				_, err := client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
					TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: aws.String("chat"), Item: map[string]types.AttributeValue{}}}},
				})
				if err == nil || service.asked != tt.asked {
					t.Errorf("asked %d times, want %d: %v", service.asked, tt.asked, err)
				}
				if unavailable := chat.KindOf(translate("write", err)) == chat.Unavailable; unavailable != (tt.asked > 1) {
					t.Errorf("unavailable: %v", unavailable)
				}
			})
		})
	}
}
