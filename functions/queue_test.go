package functions_test

import (
	"crypto/md5" // #nosec G501 -- SQS answers with it
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"example.com/parley/internal/stream"
)

// queueStub stands in for SQS, which cannot run here. It accepts SendMessage over the JSON protocol
// and records the messages.
type queueStub struct {
	server *httptest.Server

	mu      sync.Mutex
	refuses bool
	sent    []string
	wrong   []string // requests that SQS would refuse
}

func newQueueStub(t *testing.T) *queueStub {
	t.Helper()
	q := &queueStub{}
	q.server = httptest.NewServer(http.HandlerFunc(q.serve))
	t.Cleanup(q.server.Close)
	return q
}

// url returns the address of a queue, or of the service.
func (q *queueStub) url(name string) string {
	if name == "" {
		return q.server.URL
	}
	return q.server.URL + "/000000000000/" + name
}

// refuse sets whether the queue refuses every message.
func (q *queueStub) refuse(refuses bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.refuses = refuses
}

// take returns the failures sent since the last call, as room and key.
func (q *queueStub) take(t *testing.T) []string {
	t.Helper()
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range q.wrong {
		t.Error(w)
	}
	var failures []string
	for _, body := range q.sent {
		var f stream.Failure
		if err := json.Unmarshal([]byte(body), &f); err != nil || f.Sequence == "" || f.EventID == "" || f.Reason == "" {
			t.Errorf("the failure %s: %v", body, err)
		}
		if strings.Contains(body, "who wrote this") {
			t.Errorf("the failure contains the text of a message: %s", body)
		}
		failures = append(failures, string(f.Room)+" "+f.Key)
	}
	q.sent, q.wrong = nil, nil
	return failures
}

func (q *queueStub) serve(w http.ResponseWriter, r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	var in struct{ QueueUrl, MessageBody string } //nolint:revive // as SQS names it
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	signed := strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") && strings.Contains(r.Header.Get("Authorization"), "/sqs/")
	if err != nil || !signed || r.Header.Get("X-Amz-Target") != "AmazonSQS.SendMessage" || in.QueueUrl != q.url("failures") {
		q.wrong = append(q.wrong, fmt.Sprintf("SQS received %s %s: %v", r.Header.Get("X-Amz-Target"), body, err))
		q.refuses = true
	}
	if q.refuses {
		w.WriteHeader(http.StatusBadRequest) // the SDK does not retry it
		fmt.Fprint(w, `{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}`)
		return
	}
	q.sent = append(q.sent, in.MessageBody)
	fmt.Fprintf(w, `{"MessageId":"%d","MD5OfMessageBody":"%s"}`, len(q.sent), md5Of(in.MessageBody))
}

// md5Of returns the digest with which SQS answers.
func md5Of(body string) string {
	sum := md5.Sum([]byte(body)) // #nosec G401 -- SQS answers with it
	return hex.EncodeToString(sum[:])
}
