package restore_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// used holds the actions that the restores of this package's tests have called.
var used sync.Map

func TestMain(m *testing.M) {
	status := m.Run()
	if err := checkRights(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// checkRights compares them with the statement in the runbook for an operator's role.
func checkRights() error {
	text, err := os.ReadFile("../../docs/runbooks.md")
	if err != nil {
		return err
	}
	_, block, ok := strings.Cut(string(text), "```json\n")
	block, _, _ = strings.Cut(block, "```")
	var statement struct{ Action []string }
	if err := json.Unmarshal([]byte(block), &statement); !ok || err != nil {
		return fmt.Errorf("docs/runbooks.md has no statement for an operator: %w", err)
	}
	used.Range(func(action, _ any) bool {
		if !slices.Contains(statement.Action, "dynamodb:"+action.(string)) {
			err = fmt.Errorf("restores call %s, which docs/runbooks.md does not allow an operator", action)
		}
		return err == nil
	})
	return err
}

// recorded is a client's option that records the actions called. Each action in a transaction is
// authorized by itself.
func recorded(o *dynamodb.Options) {
	o.HTTPClient = recorder{o.HTTPClient}
}

type recorder struct{ next dynamodb.HTTPClient }

func (c recorder) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if operation != "TransactWriteItems" {
		used.Store(operation, true)
		return c.next.Do(r)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var transaction struct{ TransactItems []map[string]any }
	if err := json.Unmarshal(text, &transaction); err != nil {
		return nil, err
	}
	for _, item := range transaction.TransactItems {
		for kind := range item {
			used.Store(strings.TrimSuffix(kind, "Item")+"Item", true) // Put is PutItem
		}
	}
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(text))
	return c.next.Do(again)
}
