package dynamo

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

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

// throttling is a service that refuses each call and asks the client to wait.
type throttling struct {
	retryAfter string
	at         []time.Time
}

func (s *throttling) Do(r *http.Request) (*http.Response, error) {
	s.at = append(s.at, time.Now())
	return &http.Response{
		StatusCode: http.StatusBadRequest, Request: r,
		Body:   io.NopCloser(bytes.NewReader([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow down"}`))),
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Retry-After": {s.retryAfter}},
	}, nil
}

// TestRetryAfter_IsHonoredWithinBounds measures the waits between the attempts of a refused call.
func TestRetryAfter_IsHonoredWithinBounds(t *testing.T) {
	for _, tt := range []struct {
		header      string
		least, most time.Duration
	}{
		{"", 0, 100 * time.Millisecond},
		{"0", 0, 100 * time.Millisecond},
		{"300", 300 * time.Millisecond, 300 * time.Millisecond},
		{"60000", maxRetryAfter, maxRetryAfter},
		{"99999999999999999999", 0, 100 * time.Millisecond},
		{"-5", 0, 100 * time.Millisecond},
		{"soon", 0, 100 * time.Millisecond},
	} {
		t.Run(tt.header, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				service := &throttling{retryAfter: tt.header}
				client := LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) { o.HTTPClient = service })
				if _, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("chat")}); err == nil {
					t.Fatal("the call succeeded")
				}
				if len(service.at) != maxAttempts {
					t.Fatalf("asked %d times", len(service.at))
				}
				for i := range maxAttempts - 1 {
					if wait := service.at[i+1].Sub(service.at[i]); wait < tt.least || wait > tt.most {
						t.Errorf("wait %d is %v, want %v to %v", i+1, wait, tt.least, tt.most)
					}
				}
			})
		})
	}
}

// TestToolClient_HonorsRetryAfter waits up to the bound of an operator's command.
func TestToolClient_HonorsRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := &throttling{retryAfter: "3600000"}
		client := ToolClient(aws.Config{Region: "us-east-1", Credentials: StaticCredentials("id", "secret", ""), HTTPClient: service})
		_, _ = client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("chat")})
		if took := time.Since(service.at[0]); len(service.at) != toolAttempts || took != (toolAttempts-1)*toolBackoff {
			t.Errorf("%d attempts in %v", len(service.at), took)
		}
	})
}
