package purge_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/purge"
	"example.com/parley/internal/table"
)

// recorder notes the operations that a purge calls.
type recorder struct {
	mu     sync.Mutex
	called map[string]bool
}

func (r *recorder) Do(request *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	r.mu.Lock()
	r.called[operation] = true
	r.mu.Unlock()
	return http.DefaultClient.Do(request)
}

// TestJob_NeedsTheDocumentedRights compares the calls of a purge with the statement in the runbook for
// an operator's role. The only transaction of a purge is an update, of a head that was lost.
func TestJob_NeedsTheDocumentedRights(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/runbooks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```json\n")
	block, _, _ = strings.Cut(block, "```")
	var statement struct{ Action []string }
	if err := json.Unmarshal([]byte(block), &statement); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.fill("seattle")
	w.end("seattle")
	_, err = dynamo.NewTable(w.db, live, nil).DeleteItem(t.Context(), "test", table.FeedHeadKey("seattle"))
	w.ok(err)
	r := &recorder{called: map[string]bool{}}
	o := w.options(live, "seattle")
	o.DB = dynamo.LocalClient(w.endpoint, func(c *dynamodb.Options) { c.HTTPClient = r })
	j := purge.New(o)
	w.ok(j.Run(t.Context()))
	w.searched(j)
	if !r.called["TransactWriteItems"] || len(r.called) < 5 {
		t.Errorf("it called only %v", r.called)
	}
	delete(r.called, "TransactWriteItems")
	r.called["UpdateItem"] = true
	for operation := range r.called {
		if !slices.Contains(statement.Action, "dynamodb:"+operation) {
			t.Errorf("a purge calls %s, which docs/runbooks.md does not allow an operator", operation)
		}
	}
}
